"""Word lists: words that must never be shown as distractors, and short strings that are real words.

The lists are short on purpose: what is not an ordinary word of the language is mostly found by comparing languages
(`candidates`). They hold what that cannot see: words that hurt, names that only one language has, and short words,
among which abbreviations are as frequent as words.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHORT: dict[str, frozenset[str]] = {
    "en": _words(
        """
        a i am an as at be by do go he if in is it me my no of on or so to up us we act add ago aid aim air all and any
        are arm art ask ate bad bag bar bay bed bee bet big bit bow box boy bus but buy can cap car cat cow cry cup cut
        day did dig dog dry due ear eat egg end eye far fat fed few fit fix fly for fox fun fur gap get got had has hat
        her hid him his hit hot how ice ink its jam jar job joy key kit lad lap law lay led leg let lid lie lip log lot
        low mad man map mat may men met mix mud net new nor not now nut oak odd off oil old one our out owl own pan pat
        pay pen pet pie pig pin pit pot put ran raw red rid row rub rug run sad sat saw say sea see set she shy sit six
        sky son sum sun tap tax tea ten the tie tin tip toe too top toy try two use van via war was way web wet who why
        win won yes yet you
        """
    ),
    "de": _words(
        """
        ab am an da du er es im in ja ob so um wo zu acht alt als amt ans arm art auf aus bad bau bei bin bis bot dem
        den der des die dir dort ehe eid ein eis elf eng ich ihm ihn ihr ist kam kuh lag las man mir mit mut nah neu
        nie not nun nur ohr ort rad rat rot ruf sah sei sie tag tal tat tee ton tor tun tut uhr und uns vom von vor war
        was weg wem wen wer wie wir zum zur
        """
    ),
}

# Stems: a word with one of them in it is left out.
_HURTING_PARTS: dict[str, frozenset[str]] = {
    "en": _words(
        """
        fuck shit bitch cunt nigg whore slut porn rape rapist sex erotic naked nude penis vagin breast boob dick
        genital murder suicid kill slaughter terror nazi holocaust genocid racis hitler jihad torture incest pedo
        molest abus drug cocain heroin cancer tumor tumour corpse massacr damn jerk idiot moron stupid retard gay
        lesbian homosex queer transgend muslim islam jew christ catholic protestant hell devil satan execut behead
        bomb gun shoot weapon assault victim prostitut orgasm masturb condom crap piss arse asshole bastard violen
        brutal aids abort puss horny nipple pantie lingerie hooker stripper strippe wank bollock bugger faggot sperm
        semen testic kinky fetish douche fart turd puke vomit pimp dildo booty butth virgin puberty menstru feces
        faeces toilet urin bigot suprema fascis ethnic refugee immigra migrant deport slave enslav cartel overdos
        addict alcohol drunk bleed wound injur fatal corps bury burial cremat fetus foetus miscarr autis disab
        handicap deform obes anorex depress disease plague pandem terminal
        """
    ),
    "de": _words(
        """
        fick schei arsch hure nutte schlampe wichs porno sex erotik nackt penis vagina busen vergewalt mord mörd
        selbstmord suizid töt umbring terror nazi hitler holocaust genozid völkermord rassis folter pädo missbrauch
        drogen kokain heroin krebs tumor leiche massak verdammt idiot depp trottel dumm blöd behindert schwul lesb
        homo muslim islam jude jüd christ kathol evangel hölle teufel hinricht enthaupt bombe waffe schieß schuss
        opfer prostit orgasm masturb kondom piss kack kotz fotze neger zigeuner kanake gewalt brutal abtreib fotze
        titten flücht asyl krieg muschi möse fotz schwanz pimmel titt bums bordell puff popp furz pups pinkel rotz
        sperma hoden brüst dildo strip vibrator domina fetisch dreck mist spast mongo beischlaf intim unzucht eunuch
        sau verreck kadaver blut wund verletz unfall sterb verstorb tödlich beerdig friedhof bestatt selbstm
        sklav faschis migrant ausländ rechtsextrem alkohol betrunk besoff sucht krank seuche fehlgeburt
        """
    ),
}

# Words that hurt and are parts of harmless ones.
_HURTING: dict[str, frozenset[str]] = {
    "en": _words(
        """
        lick licking suck sucked sucker sucking sucks scum ass asses anal anus cock cum tit tits rapes hate
        hated hates hatred die died dies dying dead death deaths
        killed blood bloody slave slaves slavery dumb fat ugly fool loser losers lynch mob tranny dyke spic coon gypsy
        crazy insane cripple crippled hang hanged grave graves funeral coffin stab stabbed shot shots bum bums butt
        butts hoe hoes fag fags poop pee bra bras thug thugs gypsies blacks whites arab arabs asian asians chink cult
        lust lusty bang bangs hooked screw screwed screwing strip stripped stripping fetuses widow widower bury
        """
    ),
    "de": _words(
        """
        leck lecken blasen tod tot tote toten toter totes stirbt sterben starb gestorben blut sklave sklaven
        hass hassen hasst hasse geil
        geile geiler geilen sau fett fette hässlich grab gräber sarg erschossen erstochen ermordet spasti irre
        verrückt verrückte leichen attentat anschlag brust busen lust vögeln vögelt samen dick dicke dicker
        dicken hintern popo zicke zicken luder miststück schlitz schlitzauge loch hexe hexen türken türke araber
        """
    ),
}

# Names, months, weekdays, brands, abbreviations and slips that only one language has; the others show by comparison.
_NO_ORDINARY_WORDS: dict[str, frozenset[str]] = {
    "en": _words(
        """
        january february march april june july august september october november december monday tuesday wednesday
        thursday friday saturday sunday english british american irish scottish welsh australian canadian indian
        chelsea liverpool manchester newcastle birmingham leeds sheffield brighton nottingham southampton yorkshire
        cornwall devon essex kent sussex oxford cambridge bristol boston chicago dallas houston seattle texas ohio
        oregon kansas kentucky tennessee alabama virginia pennsylvania wisconsin sundays mondays bruh capt shri dems
        reps sect aussie seahawks wiley michigan minnesota missouri illinois andrew anthony matthew jeremy geoffrey
        gareth graham keith kenneth stephen steven timothy wayne kathleen elizabeth margaret catherine heather shannon
        stacey tracy wendy ashley kimberly bethany brittany hannah johnson williams jones davis wilson anderson taylor
        thomas jackson harris thompson robinson clark lewis walker wright mitchell roberts phillips campbell edwards
        collins stewart morris rogers bailey cooper richards howard watson bennett hughes sanders foster simmons
        hamilton griffin wallace reynolds fisher ellis harrison gibson marshall stafford fulton plymouth mcdonald
        murray freeman webb simpson stevens hawkins arnold lincoln churchill shakespeare verizon walmart facebook
        google twitter youtube amazon netflix microsoft wikipedia starbucks tesco uber ebay gonna wanna gotta kinda
        sorta dunno gimme lemme yeah yep nope nah okay lol lmao omg wtf idk tbh imo imho etc gov edu com www http
        https org usa uk nyc govt dept corp inc ltd mph lbs approx vols thats dont didnt doesnt cant wont isnt youre
        theyre ive hes shes lets whats theres aint wasnt couldnt wouldnt havent hasnt arent alot steph dave mike mikey
        jimmy johnny bobby billy joey sammy tommy danny kenny larry harry jerry terry barry garry randy andy sandy
        cindy mandy becky vicky nicky debbie abby amy emma holly molly polly sally kelly kim beth liz meg jess tess
        """
    ),
    "de": _words(
        """
        januar februar märz april juni juli august september oktober november dezember montag dienstag mittwoch
        donnerstag freitag samstag sonntag sonnabend bayern sachsen hessen thüringen brandenburg niedersachsen
        westfalen baden württemberg schwaben franken pfalz saarland holstein schleswig mecklenburg berlin edeka sylt
        lahn prager aachener böhmen berliner münchner wiener hamburger kölner frankfurter stuttgarter düsseldorf
        dortmund duisburg bochum wuppertal bielefeld mannheim karlsruhe augsburg wiesbaden gelsenkirchen braunschweig
        chemnitz kiel aachen halle magdeburg freiburg lübeck erfurt mainz rostock kassel hagen saarbrücken potsdam
        regensburg nürnberg würzburg ulm jahn henkel luise falk egon raab gysi schweinsteiger jürgen günter günther
        wolfgang werner heinz horst dieter gerhard helmut manfred uwe ulrich jörg joachim rainer reiner bernd dirk
        torsten thorsten jens sven björn sabine birgit ursula ingrid renate helga gisela brigitte karin heike anja
        antje kerstin müller schmidt schneider fischer weber meyer maier meier becker schulz hoffmann schäfer bauer
        richter wolf schröder neumann schwarz zimmermann braun krüger hofmann hartmann lange schmitt krause lehmann
        merkel kohl steinmeier schäuble bundesliga bundestag spd cdu csu fdp afd gmbh inkl aufl zzgl bzw usw evtl ggf
        sog bzgl vgl jahrh geb verh mfg nix bissl nen nem ner gibts gehts wars jetz fürn aufm ausm dipl doku naja
        isses haste biste kannste wieviel leipzig dresden hannover bremen köln bonn aalen linz genf zürich basel bern
        graz luzern innsbruck salzburg justus rostocker leipziger dresdner bremer hannoveraner klagenfurt villach
        zwickau cottbus jena gera koblenz trier heidelberg heilbronn pforzheim ingolstadt osnabrück oldenburg
        paderborn siegen solingen krefeld oberhausen mönchengladbach bottrop moers neuss gütersloh bamberg bayreuth
        coburg passau landshut rosenheim kempten konstanz tübingen reutlingen ludwigshafen göttingen hildesheim
        wolfsburg flensburg schwerin stralsund greifswald weimar gotha plauen görlitz bautzen friedrich wilhelm
        heinrich ludwig johann johannes matthias andreas christoph stefanie steffi silke tanja petra jochen olaf
        detlef volker harald reinhard eberhard gottfried siegfried sigmar ursel hildegard gertrud waltraud käthe
        lieschen hänsel gretel
        """
    ),
}


def is_ordinary(word: str, *, language: str) -> bool:
    """Say whether a word in small letters may be a distractor, as far as the lists know.

    >>> [is_ordinary(word, language="en") for word in ("table", "murdered", "upi", "tuesday")]
    [True, False, False, False]
    """
    allowed = word in SHORT[language] if len(word) <= 3 else word not in _NO_ORDINARY_WORDS[language]
    return allowed and word not in _HURTING[language] and not any(part in word for part in _HURTING_PARTS[language])
