/** `reader`: the person who reads it; `person`: someone else, or text that agents helped to write. */
export type TextAuthor = 'reader' | 'person' | 'agent' | 'document'

export interface TextRules {
  /** A single line end is a line break, and `---` below a line is a rule. */
  typedLines: boolean
  /** Indented lines are code; people indent verses and letters. */
  indentedCode: boolean
  /** `\(` and `\[` are escapes; models write formulas with them. */
  bracketEscapes: boolean
  /** Formatting tags apply, and comments are left out. */
  html: boolean
  /** `[Anna]: hello` without a reference to it is text. */
  typedDefinitions: boolean
  /** Links to entries of a keeper open in the app. */
  appLinks: boolean
}

const personRules: TextRules = {
  typedLines: true,
  indentedCode: false,
  bracketEscapes: true,
  html: true,
  typedDefinitions: true,
  appLinks: true,
}

export const textRules: Record<TextAuthor, TextRules> = {
  reader: personRules,
  person: personRules,
  agent: {
    typedLines: true,
    indentedCode: true,
    bracketEscapes: false,
    html: false,
    typedDefinitions: false,
    appLinks: false,
  },
  document: {
    typedLines: false,
    indentedCode: true,
    bracketEscapes: true,
    html: true,
    typedDefinitions: false,
    appLinks: false,
  },
}
