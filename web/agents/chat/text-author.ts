/** `reader`: written by the viewer; `person`: by someone else, or with an agent's help. */
export type TextAuthor = 'reader' | 'person' | 'agent' | 'document'

export interface MarkdownRules {
  /** Single newlines break lines; `---` under text is a horizontal rule, not a heading. */
  typedLines: boolean
  /** Indented lines are code. Off for people, who indent verse and letters. */
  indentedCode: boolean
  /** `\(` and `\[` are escapes. Off for models, which delimit formulas with them. */
  bracketEscapes: boolean
  /** Formatting tags apply, and comments are left out. */
  html: boolean
  /** `[Anna]: hello` without a reference to it is text. */
  typedDefinitions: boolean
  /** Links to entries of a keeper open in the app. */
  appLinks: boolean
}

const personRules: MarkdownRules = {
  typedLines: true,
  indentedCode: false,
  bracketEscapes: true,
  html: true,
  typedDefinitions: true,
  appLinks: true,
}

export const markdownRules: Record<TextAuthor, MarkdownRules> = {
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
