/// The types of schema.org that Hunch understands, by the kind that they inherit from. Source: https://schema.org/docs/full.html
enum SchemaTypes {
    /// Returns the kind of a type; `nil` for types of no known kind.
    static func kind(of type: String) -> Meaning.Kind? { kinds[type] }

    /// Types that are a place only if they have an address or a position.
    static let organizations: Set<String> = ["Organization", "Corporation", "NGO", "SportsOrganization", "MusicGroup"]

    private static let kinds: [String: Meaning.Kind] = {
        var kinds: [String: Meaning.Kind] = [:]
        for (kind, names) in [
            (Meaning.Kind.place, places), (.event, events), (.reservation, reservations), (.media, media),
            (.product, "Product ProductGroup ProductModel IndividualProduct SomeProducts Vehicle Car Motorcycle"),
            (.article, articles), (.person, "Person Patient"),
        ] {
            for name in names.split(whereSeparator: \.isWhitespace) { kinds[String(name)] = kind }
        }
        return kinds
    }()

    private static let events = """
        Event BroadcastEvent BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent DeliveryEvent
        EducationEvent EventSeries ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent OnDemandEvent
        PerformingArtsEvent PublicationEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent
        """

    private static let reservations = """
        Reservation BoatReservation BusReservation EventReservation FlightReservation FoodEstablishmentReservation
        LodgingReservation RentalCarReservation ReservationPackage TaxiReservation TrainReservation
        """

    private static let media = """
        AudioObject AudioObjectSnapshot Audiobook Clip Episode Movie MusicAlbum MusicPlaylist MusicRecording MusicRelease
        MusicVideoObject PodcastEpisode PodcastSeries RadioEpisode RadioSeries TVEpisode TVSeries VideoObject
        VideoObjectSnapshot
        """

    private static let articles = """
        Article AdvertiserContentArticle AnalysisNewsArticle AskPublicNewsArticle BackgroundNewsArticle BlogPosting
        DiscussionForumPosting LiveBlogPosting NewsArticle OpinionNewsArticle Report ReportageNewsArticle ReviewNewsArticle
        SatiricalArticle ScholarlyArticle MedicalScholarlyArticle SocialMediaPosting TechArticle APIReference
        """

    private static let places = """
        Place Accommodation Apartment CampingPitch House SingleFamilyResidence Room HotelRoom MeetingRoom Suite
        AdministrativeArea City Country SchoolDistrict State CivicStructure Airport Aquarium Beach BoatTerminal Bridge
        BusStation BusStop Campground Cemetery Crematorium EventVenue FireStation GovernmentBuilding CityHall Courthouse
        DefenceEstablishment Embassy LegislativeBuilding Hospital MovieTheater Museum MusicVenue Park ParkingFacility
        PerformingArtsTheater PlaceOfWorship BuddhistTemple Church CatholicChurch HinduTemple Mosque Synagogue Playground
        PoliceStation PublicToilet RVPark StadiumOrArena SubwayStation TaxiStand TrainStation Zoo Landform BodyOfWater Canal
        LakeBodyOfWater OceanBodyOfWater Pond Reservoir RiverBodyOfWater SeaBodyOfWater Waterfall Continent Mountain Volcano
        LandmarksOrHistoricalBuildings Residence ApartmentComplex GatedResidenceCommunity TouristAttraction
        TouristDestination CollegeOrUniversity ElementarySchool HighSchool MiddleSchool Preschool School
        EducationalOrganization LocalBusiness AnimalShelter ArchiveOrganization AutomotiveBusiness AutoBodyShop AutoDealer
        AutoPartsStore AutoRental AutoRepair AutoWash GasStation MotorcycleDealer MotorcycleRepair ChildCare Dentist
        DryCleaningOrLaundry EmergencyService EmploymentAgency EntertainmentBusiness AdultEntertainment AmusementPark
        ArtGallery Casino ComedyClub NightClub FinancialService AccountingService AutomatedTeller BankOrCreditUnion
        InsuranceAgency FoodEstablishment Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant
        IceCreamShop Restaurant Winery GovernmentOffice PostOffice HealthAndBeautyBusiness BeautySalon DaySpa HairSalon
        HealthClub NailSalon TattooParlor HomeAndConstructionBusiness Electrician GeneralContractor HVACBusiness
        HousePainter Locksmith MovingCompany Plumber RoofingContractor InternetCafe LegalService Attorney Notary Library
        LodgingBusiness BedAndBreakfast Hostel Hotel Motel Resort SkiResort VacationRental MedicalBusiness CovidTestingFacility
        Dermatology DietNutrition Emergency Geriatric Gynecologic MedicalClinic Midwifery Nursing Obstetric Oncologic Optician
        Optometric Otolaryngologic Pediatric Pharmacy Physician Physiotherapy PlasticSurgery Podiatric PrimaryCare Psychiatric
        PublicHealth DiagnosticLab VeterinaryCare ProfessionalService RadioStation RealEstateAgent RecyclingCenter SelfStorage
        ShoppingCenter SportsActivityLocation BowlingAlley ExerciseGym GolfCourse PublicSwimmingPool SportsClub TennisComplex
        Store BikeStore BookStore ClothingStore ComputerStore ConvenienceStore DepartmentStore ElectronicsStore Florist
        FurnitureStore GardenStore GroceryStore HardwareStore HobbyShop HomeGoodsStore JewelryStore LiquorStore
        MensClothingStore MobilePhoneStore MovieRentalStore MusicStore OfficeEquipmentStore OutletStore PawnShop PetStore
        ShoeStore SportingGoodsStore TireShop ToyStore WholesaleStore TelevisionStation TouristInformationCenter TravelAgency
        """
}
