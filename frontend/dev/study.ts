/** A small study for looking at the pages during development. The sentences are made up for this purpose. */

const WELCOME = {
  en: {
    title: "How do these sentences sound?",
    welcome: [
      "In this study you read short sentences and say how acceptable each of them sounds to you, by giving it a number.",
      "There are no right or wrong answers. What counts is your own sense of the language.",
    ],
    facts: [
      ["Duration", "about 30 minutes, with breaks"],
      ["You need", "a keyboard and a quiet place"],
      ["Responsible", "Dr Ada Example, Department of Linguistics"],
      ["Contact", "ada@example.org"],
    ],
    next: "Continue",
    check: "Does everything work here?",
    consent: "Your consent",
    consentText: [
      "Taking part is voluntary. You can stop at any time by closing the page, and have your answers erased later with a code that you get at the end.",
      "Your answers are stored under a pseudonym. No address of your computer is stored.",
    ],
    statements: "Please confirm",
    required: ["I am at least 18 years old.", "I have read this page and agree to take part."],
    optional: ["My anonymous answers may be published for other researchers."],
    agree: "I agree and start",
    decline: "I do not want to take part",
    declined: "Thank you for your time",
    declinedText: "You chose not to take part. Nothing was stored. You can close this page.",
  },
  de: {
    title: "Wie klingen diese Sätze?",
    welcome: [
      "In dieser Studie lesen Sie kurze Sätze und geben mit einer Zahl an, wie akzeptabel jeder für Sie klingt.",
      "Es gibt keine richtigen oder falschen Antworten. Es zählt allein Ihr eigenes Sprachgefühl.",
    ],
    facts: [
      ["Dauer", "etwa 30 Minuten, mit Pausen"],
      ["Sie brauchen", "eine Tastatur und einen ruhigen Ort"],
      ["Verantwortlich", "Dr. Ada Beispiel, Institut für Linguistik"],
      ["Kontakt", "ada@example.org"],
    ],
    next: "Weiter",
    check: "Funktioniert hier alles?",
    consent: "Ihre Einwilligung",
    consentText: [
      "Die Teilnahme ist freiwillig. Sie können jederzeit aufhören, indem Sie die Seite schließen, und Ihre Antworten später mit einem Code löschen lassen, den Sie am Ende erhalten.",
      "Ihre Antworten werden unter einem Pseudonym gespeichert. Die Adresse Ihres Computers wird nicht gespeichert.",
    ],
    statements: "Bitte bestätigen Sie",
    required: ["Ich bin mindestens 18 Jahre alt.", "Ich habe diese Seite gelesen und nehme teil."],
    optional: ["Meine anonymen Antworten dürfen für andere Forschende veröffentlicht werden."],
    agree: "Ich willige ein und beginne",
    decline: "Ich möchte nicht teilnehmen",
    declined: "Vielen Dank für Ihre Zeit",
    declinedText: "Sie nehmen nicht teil. Es wurde nichts gespeichert. Sie können diese Seite schließen.",
  },
} as const;

export type Language = keyof typeof WELCOME;

const INSTRUCTIONS = [
  [
    { type: "heading", text: "Judge the form, not the content" },
    { type: "paragraph", text: "Say how well each sentence is put, whether or not you believe what it says." },
    { type: "example", text: "The moon is made of cheese because mice live there." },
    { type: "paragraph", text: "A sentence like this one can be odd in content and still be perfectly well formed." },
  ],
  [
    { type: "heading", text: "Any number above zero" },
    { type: "paragraph", text: "First you give one reference sentence any number you like. Then:" },
    {
      type: "list",
      items: [
        "A sentence that sounds twice as acceptable gets twice that number.",
        "A sentence that sounds half as acceptable gets half of it.",
        "Use decimals wherever you want to make finer distinctions.",
      ],
    },
  ],
];

const MODULUS = "The meeting was moved because of that the room was being painted.";
const SENTENCES = [
  "The harvest failed because the rain came late.",
  "The delay of the train had as its cause a fallen tree that had been lying across the track since the storm of the night before last, which nobody had reported to the company.",
  "Because of the strike, the letters arrived late.",
  "The bridge was closed, cause was the flood.",
];

export function pages(language: Language) {
  return WELCOME[language];
}

export function trials() {
  const plan: { phase: string; plugin: string; params: Record<string, unknown> }[] = [
    {
      phase: "questions",
      plugin: "background-questions",
      params: {
        title: "About you",
        questions: [
          {
            name: "native_language",
            label: "What is your native language?",
            kind: "choice",
            choices: ["English", "another language", "English and another language"],
            required: true,
            help: "The language you spoke first as a child.",
          },
          { name: "age", label: "How old are you?", kind: "number", required: false, help: "" },
          {
            name: "country",
            label: "Where did you grow up?",
            kind: "choice",
            choices: ["Australia", "Canada", "India", "Ireland", "New Zealand", "Nigeria", "United Kingdom", "USA"],
            required: false,
            help: "",
          },
          { name: "remarks", label: "Other languages you speak well", kind: "text", required: false, help: "" },
        ],
      },
    },
    { phase: "instructions", plugin: "pages", params: { pages: INSTRUCTIONS, kind: "instructions" } },
  ];
  for (const [index, length] of [0.5, 0.1].entries()) {
    const params = { reference: 0.25, length, reference_number: 10, index: index + 1, total: 2 };
    plan.push({ phase: "training", plugin: "line-length", params });
  }
  const judgement = (phase: string, kind: string, text: string, index: number, total: number) => {
    const params = { kind, text, modulus_text: MODULUS, allow_zero: false, index, total };
    plan.push({ phase, plugin: "magnitude-estimation", params });
  };
  judgement("modulus", "modulus", MODULUS, 1, 1);
  judgement("practice", "practice", "The cake burned because the oven was too hot.", 1, 1);
  for (const [index, text] of SENTENCES.entries()) {
    judgement("main", "target", text, index + 1, SENTENCES.length);
    if (index === 1) {
      const params = { done: 2, total: SENTENCES.length, pages: INSTRUCTIONS };
      plan.push({ phase: "break", plugin: "break", params });
    }
  }
  return plan.map((trial, position) => ({ position, ...trial }));
}
