export interface Question {
  question: string
  /** Of the root, as `server/keys/choose-key.ts`. */
  place: string
  /** What stands in that file and answers: a name, or a few words of it. */
  mark: string
}

/** The rows of "Where is …?" in docs/README.md: a question, a linked file, and what to look for in it. */
export function questionsIn(markdown: string): Question[] {
  const rows = markdown.matchAll(/^\| ([^|]+\?) \| \[[^\]]+\]\(\.\.\/([^)]+)\) \| `([^`]+)` \|$/gm)
  return [...rows].map((row) => ({ question: row[1] ?? '', place: row[2] ?? '', mark: row[3] ?? '' }))
}
