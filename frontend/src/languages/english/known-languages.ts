/** The texts of the question for languages. */

export const english = {
  language: "Language",
  languageNumber: (number: number) => `Language ${number}`,
  ageOfAcquisition: "Age at which you began to learn it",
  yearsOfUse: "Years of learning or using it",
  skill: { understanding: "Understanding", speaking: "Speaking", reading: "Reading", writing: "Writing" },
  skillScale: "from 0 (none) to 10 (perfect)",
  addLanguage: "Add a language",
  removeLanguage: (number: number) => `Remove language ${number}`,
  languageNeeded: "Please write the name of the language, or remove this language.",
  ageNeeded: (most: number) => `Please write age and years as numbers from 0 to ${most}.`,
};
