/** The field for a question, by its kind. Kinds that few studies have come in scripts of their own. */

import { choiceField, SeveralField } from "./choice-fields";
import type { Kind, Question } from "./question";
import type { FieldOptions, QuestionField } from "./question-field";
import { InformationField, StatementField } from "./told-fields";
import { NumberField, TextField, YearField } from "./typed-fields";

type Field = new (options: FieldOptions) => QuestionField;
type Fields = Partial<Record<Kind, Field>>;

const scales = async (): Promise<Fields> => (await import("./scale-fields")).SCALE_FIELDS;
const RARE: Partial<Record<Kind, () => Promise<Fields>>> = {
  scale: scales,
  matrix: scales,
  slider: scales,
  languages: async () => ({ languages: (await import("./languages-field")).LanguagesField }),
};

const fields: Fields = {
  several: SeveralField,
  number: NumberField,
  "birth-year": YearField,
  statement: StatementField,
  information: InformationField,
};

/** Loads the fields of questions whose kinds are rare. */
export async function loadFields(questions: readonly Question[]): Promise<void> {
  const kinds = new Set(questions.map((question) => question.kind));
  await Promise.all([...kinds].map(async (kind) => Object.assign(fields, await RARE[kind]?.())));
}

/** Throws for a rare kind whose field was not loaded. */
export function questionField(options: FieldOptions): QuestionField {
  const { kind } = options.question;
  if (kind === "choice") return choiceField(options);
  const field = fields[kind];
  if (field !== undefined) return new field(options);
  if (kind in RARE) throw new Error(`The field for a question of the kind "${kind}" was not loaded.`);
  return new TextField(options);
}
