/**
 * Shape a translation must have: every key of the English text, nothing else. Plural forms follow the language: Chinese has one
 * form, so the `_one` texts of English are left out.
 */
export type Translation<Text> = {
  readonly [Key in keyof Text as Key extends `${string}_one` ? never : Key]: Text[Key] extends string ? string : Translation<Text[Key]>;
};
