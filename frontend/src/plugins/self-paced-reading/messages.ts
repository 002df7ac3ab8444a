/** The texts of self-paced reading. */

const english = {
  pressSpace: "Space bar: next piece",
  onlySpace: "This text is read with the space bar of a keyboard; tapping or clicking uncovers nothing.",
  answerWithKeys: (most: number) => `Answer with the keys 1 to ${most}, or click.`,
};

export type SelfPacedMessages = typeof english;

const german: SelfPacedMessages = {
  pressSpace: "Leertaste: nächstes Stück",
  onlySpace: "Dieser Text wird mit der Leertaste einer Tastatur gelesen; Tippen oder Klicken deckt nichts auf.",
  answerWithKeys: (most) => `Antworten Sie mit den Tasten 1 bis ${most}, oder klicken Sie.`,
};

const LANGUAGES: Readonly<Record<string, SelfPacedMessages>> = { en: english, de: german };

export function selfPacedMessagesIn(language: string): SelfPacedMessages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}
