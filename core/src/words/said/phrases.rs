//! The table of phrases.

/// Makes [`Phrase`] of rows `Name = "English"`.
macro_rules! phrases {
    ($($name:ident = $english:literal,)*) => {
        /// A phrase with places for values: `{}`, or `{*}` for a word that each language has its own
        /// for (whose a setting is, a unit).
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Phrase {
            $(#[doc = $english] $name,)*
        }

        impl Phrase {
            /// All of them, in the order of the table.
            pub const ALL: &[Phrase] = &[$(Phrase::$name,)*];

            /// Its name, by which translations find it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Phrase::$name => stringify!($name),)*
                }
            }

            /// Its English.
            pub const fn english(self) -> &'static str {
                match self {
                    $(Phrase::$name => $english,)*
                }
            }
        }
    };
}

phrases! {
    // The whole script.
    ScriptEmpty = "the script is empty",
    ScriptTooLong = "the script is too long",
    ScriptBeginsWithVersion = "a script begins with its version",
    TooManyLines = "too many lines",
    LineTooLong = "the line is too long",
    AtMost = "at most {}",
    AtMostBytes = "at most {} bytes",
    AtMostLines = "at most {} lines",
    AtMostCharacters = "at most {} characters",
    AtMostInAllTopics = "at most {} in all topics",
    TopicCount = "{} topics",
    ClientCount = "{} clients",
    PartitionCount = "{} partitions",
    BrokerCount = "{} brokers",
    BrokersUpTo = "1 … {} brokers",
    ValueCount = "{} values",
    ValuesUpTo = "1 … {} values",
    ReplicasOnTooFewBrokers = "{} replicas on {} brokers (R5.35)",
    AgainOnLine = "{} again; it is on line {} already",
    Again = "{} again",
    Once = "it once",
    TopicThereAlready = "topic {} is on line {} already",
    ClientThereAlready = "client {} is there already",
    AnotherName = "another name",
    GroupHasItsMember = "group {} has {} already: groups have one member on 0.8.2",
    AnotherGroup = "another group",
    NoSuchBroker = "there is no broker {}",
    NoSuchTopic = "there is no topic {}",
    NoSuch = "there is no {*} {}",
    TopicOrCreateLine = "a topic or create line",
    ClientLine = "a producer or consumer line",
    TopicCreatedLater = "topic {} is created later, on line {}",
    LineAfter = "a line that happens after {}",
    NoSuchPartition = "topic {} has no partition {}",
    DoesNotReadTopic = "{} does not read topic {}",
    PartitionOf = "a partition of {}",
    TooManyReplicas = "a partition has at most {} replicas here",
    DidYouMean = "{}?",
    DidYouMeanOf = "{}? All: {}",

    // Words of a line.
    ControlCharacter = "a control character",
    PlainText = "text, spaces and tabs",
    QuoteInsideWord = "a quote in the middle of a word",
    QuotedWord = "\"…\" as a whole word or behind =; \\\" inside quotes",
    NoSuchEscape = "\\{} is no escape",
    BehindClosingQuote = "{} right behind a closing quote",
    Space = "a space",
    QuoteNotClosed = "the quote is not closed",
    QuotedOnOneLine = "\"…\" on one line",
    WordsInQuotes = "words in quotes",
    QuotesNotHere = "words in quotes do not belong here",
    NoQuotes = "no quotes",
    LineEndsHere = "the line ends here",
    TooMuch = "{} is too much",
    EndOfLine = "the end of the line, or # and a comment",
    DoesNotBelongHere = "{} does not belong here",
    Unknown = "{} is unknown",
    GivenTwice = "{} is given twice",
    EachNameOnce = "each name once",
    EachIdOnce = "each id once",
    NameAndValue = "name=value",
    NoNameAndValue = "{} is no name=value",

    // Numbers and times.
    Number = "a number",
    NoWholeNumber = "{} is no whole number",
    OutOfRange = "{} is out of range",
    Time = "a time",
    TimeForm = "a time such as 3s, 250ms, 1500us, 2m, 1.5s",
    NoUnit = "{} has no unit",
    NoTime = "{} is no time",
    TooManyDigits = "{} has too many digits",
    NoWholeMicroseconds = "{} is not a whole number of microseconds",
    LaterThanLimit = "{} is later than 30 days",
    TooOften = "{} is too often",
    OrLonger = "{} or longer",

    // Names and places.
    BrokerIdWord = "a broker's id",
    BrokerIdBetween = "a broker's id, {} … {}",
    BrokerTwice = "broker {} is there twice",
    PlaceForm = "a broker's id, controller or a client",
    NoPlace = "{} is neither a broker nor a client",
    NoOwnController = "{} has no controller of its own: a broker is it",
    ZooKeeperOrController = "zookeeper, or the id of the broker that is the controller",
    NoZooKeeper = "{} has no ZooKeeper",
    NoRacks = "{} has no racks (R5.33)",
    NoClientRack = "{} has no client.rack (R7.8)",
    NoUncleanElection = "{} has no unclean election by command (KIP-460)",
    NoCancelledReassignment = "{} has no reassignment that can be cancelled (KIP-455)",
    NoMinIsrMetrics = "{} has no metrics of the minimum ISR (R2.26)",
    ReleaseOrLater = "kafka {} or later",
    PartitionForm = "a partition such as orders/0",
    NoPartition = "{} is no partition",
    NoTopicName = "{} is no name that Kafka allows",
    TopicNameForm = "letters, digits, . _ -, at most {}",
    LinkForm = "a link such as 1>2 or 1-2",
    LinkOrAllForm = "a link such as 1-2, or all",
    LinkOneWayForm = "a link such as 2>1",
    NoLink = "{} is no link",
    LinkEnds = "1>2 (one way) or 1-2 (both); ends are brokers, controller, clients",
    SameEnds = "both ends are the same",
    DifferentEnds = "two different ends",
    TopicName = "a topic's name",
    ClientName = "a client's name",
    ProducerName = "a producer's name",
    ConsumerName = "a consumer's name",
    SettingsPlaceForm = "name=value, or first: broker ID, topic NAME, client NAME",
    NoSettingsPlace = "{} is no place for settings",

    // Statements.
    StatementWord = "a statement",
    NoStatement = "{} is no statement",
    FormatVersion = "the format's version, 1",
    NoRelease = "{} is no release that the model has",
    TimeAndAction = "a time and an action",
    TimeAndWords = "a time and words",
    TimeAndExpectation = "a time and what is expected",
    TextForm = "en \"…\", zh \"…\" or both",
    NoLanguage = "{} is no language of the page",
    LanguageAgain = "that language again",
    AnswerForm = "right or wrong, the answer in words, then reply and words",
    NoVerdict = "{} is no verdict",
    AnswerToNothing = "an answer to no question",
    AskAbove = "an ask line above it",
    AnswersOfWhichRight = "a question with {} answers, {} of them right",
    AnswersForm = "2 … {} answer lines below it, one of them right",
    GoalForm = "words, then expect and what has to be seen",
    RuleForm = "a rule such as truncation=kip-279",
    SetsNoRule = "{} sets no rule",
    NoRule = "{} is no rule",
    NoRuleValue = "{} is no value of the rule {}",
    NoControllerBroker = "in {} no broker is the controller",
    NoControllerLine = "no such line, or kafka 0.8.2, 0.11 or 2.8",
    BrokersForm = "how many (brokers 3), or their ids (brokers 1,2,5)",
    RacksForm = "racks=a,b,… with {} names of letters, digits, . _ -",
    NoRacksList = "{} is no list of {} racks",
    ClientNameForm = "a letter, then letters, digits, _, at most {}; not {}",
    NoClientName = "{} is no name for a client",
    NoTopic = "no topic",
    NoCommitTime = "{} is no time to commit",
    CommitForm = "auto, before or after",
    OnlyGroupsCommit = "only a group commits",
    GroupOrNoCommit = "group=NAME, or no commit=",

    // Actions and messages.
    NoAction = "{} is no action",
    Offset = "an offset",
    SlowDiskForm = "a partition, or how long an append takes (0 ends it)",
    TimeOrDefault = "a time or default",
    TimeOrOff = "a time or off",
    NoElection = "{} is no kind of election",
    ReassignForm = "the new replicas such as 2,3,4, or cancel",
    SendForm = "values in quotes, then key=\"…\" and partition=N",
    AssignmentForm = "assignment, or partitions and replicas",
    AssignmentSaysNumbers = "assignment says the numbers already",
    ReplicaNumbersDiffer = "the partitions differ in their number of replicas (R5.35)",
    SameReplicaNumber = "as many replicas in each",
    NotBy = "{} is not by",
    ByTime = "by and a time",
    MessageForm = "a message such as fetch or produce-response",
    NoMessage = "{} is no message",
    MessageOneWay = "a message goes one way",
    WhichOne = "which one, such as #1",

    // Expectations.
    SubjectForm =
        "a partition (orders/0), a replica (orders/0@2), a broker (2), a client (p1) or records",
    FieldOfWhat = "{} of what?",
    NothingExpected = "nothing is expected of it",
    FieldValue = "field=value behind it",
    NothingToLookAt = "{} is nothing to look at",
    NoField = "{} is no field of it",
    NoOrder = "{} has no order",
    Equality = "= or !=",
    NoFieldValue = "{} is no value of it",
    EpochsForm = "epoch:start with commas such as 0:0,1:5, or none",
    ErrorForm = "none, or an error such as NOT_ENOUGH_REPLICAS",

    // Settings.
    SettingFromOn = "{} is no {*} setting of Kafka {}: it exists from {} on",
    SettingUpTo = "{} is no {*} setting of Kafka {}: it exists up to {}",
    SettingFromTo = "{} is no {*} setting of Kafka {}: it exists from {} to {}",
    SettingNowhere = "{} is no {*} setting of Kafka {}: it exists nowhere",
    ReleaseWithSetting = "a release that has it, or another setting",
    OtherNameInRelease = "{} is not what Kafka {} calls it",
    NoSetting = "{} is no {*} setting that the model has",
    SettingOfAnother = "{} is a {*} setting, not a {*} one",
    SettingsOf = "the {*} settings of docs/scenario-format.md",
    NotAnInteger = "{} is not an integer",
    NotABoolean = "{} is neither true nor false",
    NotAChoice = "{} is not one of its words",
    OutOfRangeInRelease = "{} is out of range in Kafka {}",
    NothingToTakeBack = "default takes a value back, and here nothing was given before",
    WrongPlace = "{} is given in a place that does not have it",
    AnotherPlace = "another place",
    NotInRelease = "{} does not exist in Kafka {}",
    AnotherRelease = "another release",
    ClusterFeature = "{} is a feature of the whole cluster",
    SetForCluster = "set it for the cluster",
    SetForClusterOrTopic = "set it for the cluster or the topic (R5.24)",
    NotOnOneBroker = "{} is refused on one broker while ELR is on",
    NotTakenBack = "{} cannot be taken back while ELR is on",
    NumberForElr = "a number (R5.24)",
    BrokerHasMinIsr = "{} is refused while broker {} has min.insync.replicas",
    TakeBackFirst = "take that value back first (R5.24)",
    DeliveryTooShort = "{} is less than linger.ms + request.timeout.ms (R6.7)",
    MillisecondsOrMore = "{} ms or more",
    AgainstIdempotence = "{} contradicts enable.idempotence=true (R6.14)",
    RetriesForIdempotence = "retries=1 or more",
    InFlightForIdempotence = "max.in.flight.requests.per.connection=5 or less",
    DoesNotGoWith = "{} does not go with {}={}",
    LessThan = "{} less than {}",
    NotMoreThan = "{} at most {}",
    TextTooLong = "the text is longer than {} bytes",
    GivenAgain = "given again on line {}, which counts",

    // What is the same in every language, and ranges.
    Verbatim = "{}",
    Between = "{} … {}",
    BetweenIn = "{} … {} {*}",
    BetweenOr = "{} … {}, or {}",
}
