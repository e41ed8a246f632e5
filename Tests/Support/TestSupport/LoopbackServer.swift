/// The end of a Python script: serves its class `Handler` on a free port of the loopback, and prints `port NUMBER`.
let loopbackServer = """
    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
    with Server(("127.0.0.1", 0), Handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()
    """
