import { parseSync } from 'rolldown/utils'
import { getRoot, isTest, readSourceTree, type SourceFile } from '#tests/source-tree.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

const patterns: [pattern: RegExp, remedy: string][] = [
  [/\b(whoever|somebody|everybody|nobody|anybody)\b/i, 'someone, everyone, no one, or a noun'],
  [/(?:^|[.,:;] )who (runs|sends|is|has|can|wants|reads)\b(?!.*\?)/, 'name the person'],
  [/^(What|Who) (lies|stands|is|was|has|can|may)\b[^?]*\.$/, 'begin with a noun'],
  [/\bstands? (in|here|there|on|for nothing|below|above|beside|first)\b/i, 'is, appears'],
  [/\blies? (in|here|there|on|below|behind|too)\b/i, 'is in'],
  [/(?<!\bthere )\bis no (?!longer\b|one\b|older\b|newer\b|more than\b)/i, "isn't a"],
  [/\b(works?|exists?|is|are|can|there) no more\b/i, 'no longer'],
  [/\banew\b/i, 'again, new'],
  [/\bmeanwhile\b/i, 'while you were editing'],
  [/\bfits? (this|these|your|the) (filters?|search)\b/i, 'matches'],
  [/\b(take|takes|taken|took) (it |them |this |that |\S+ )?back\b/i, 'undo, revoke, unshare'],
  [/\b(counts?|works?|applies|apply|holds?|takes effect) at once\b/i, 'right away'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bunder way\b/i, 'running'],
  [/\b(is|are|was|were) not there\b/i, "deleted, unavailable, doesn't exist"],
  [/\b(you|they|people|members|visitors|agents) may (?!be\b|already\b|have\b|know\b|take\b|need\b|want\b)/i, 'can'],
  [/\be-mails?\b/i, 'email'],
  [/\b(colour|behaviour|favour|honour|recognise|organise|grey|centre|licence)/i, 'American spelling'],
  [/\bthe present (state|version|key|text|model|password|one)\b/i, 'current'],
]

/** Invented diaries, tables of search words, and statements of the database aren't texts of the product. */
const otherTexts = /\/(demo|samples?|workbench|migrations)\/|\/(palette-actions|use-palette-entries)\.ts$/

export interface ProseIssue {
  /** `path:line`. */
  location: string
  text: string
  remedy: string
}

/** Texts for people in files that ship, comments and tests apart. Templates are read with `…` for each value. */
export function findProseIssues(files: SourceFile[]): ProseIssue[] {
  return files
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path) && !otherTexts.test(path))
    .filter(({ path }) => ['contract', 'server', 'web', 'scripts'].includes(getRoot(path)))
    .flatMap((file) =>
      readTexts(file).flatMap(({ offset, text }) => {
        const match = isPrescribed(text) ? undefined : patterns.find(([pattern]) => pattern.test(text))
        const line = file.source.slice(0, offset).split('\n').length
        return match ? [{ location: `${file.path}:${line}`, text, remedy: match[1] }] : []
      }),
    )
}

/** A released migration stores this text and compares it. */
const isPrescribed = (text: string) => text.startsWith('Everything by date: what happened stands on one timeline')

interface SyntaxNode {
  type: string
  start: number
  [key: string]: unknown
}

function readTexts({ path, source }: SourceFile): { offset: number; text: string }[] {
  const texts: { offset: number; text: string }[] = []
  const add = (offset: number, raw: string) => {
    const text = raw.replaceAll(/\s+/g, ' ').trim()
    if (/\p{L} \p{L}|\p{L}[.?!]$/u.test(text)) texts.push({ offset, text })
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    if (typeof value !== 'object' || value === null || typeof (value as SyntaxNode).type !== 'string') return
    const node = value as SyntaxNode
    if (node.type === 'ImportDeclaration') return
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value)
    if (node.type === 'JSXText') add(node.start, String(node.value))
    if (node.type === 'TemplateLiteral') {
      const quasis = node.quasis as { value: { cooked: string | null } }[]
      add(node.start, quasis.map((quasi) => quasi.value.cooked ?? '').join('…'))
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(path, source, { lang: path.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' }).program)
  return texts
}

export const proseCheck: Check = {
  name: 'texts in plain English',
  async run() {
    const matches = findProseIssues(readSourceTree())
    for (const { location, text, remedy } of matches) console.log(`${location}: "${text}" (${remedy})`)
    return matches.length === 0 ? passedOnce : { ...failedOnce, failures: matches.map(({ location }) => location) }
  },
}
