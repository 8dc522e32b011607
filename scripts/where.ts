import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceTree, type SourceFile } from '#tests/source-tree.ts'
import { root } from './fingerprint.ts'
import { questionsIn } from './questions.ts'
import { likeness, type SoughtWord, soughtWords, stemOf, wordsOf } from './word-forms.ts'

export const searchedFiles = /\.(ts|tsx|cjs|mjs|js|css|html)$/
const mostPlaces = 12
/** Of the weight of the best. */
const farBehind = 0.15

/** A file, and what was found in it. */
export interface Place {
  path: string
  said: string
  /** Of the words asked for, in its path and what it says. */
  met: number
}

/** Something a file says: a comment with the name of what it is about, or a name alone. */
interface Passage {
  name: string
  said: string
}
/** How well each of the words is met, 0 where it is not. */
type Fit = number[]

interface Fitting {
  passage: Passage
  fit: Fit
}
interface Candidate {
  file: SourceFile
  path: Fit
  passages: Fitting[]
}

/**
 * Where the words are said, best first: in a file's name or a folder's, in the names it declares, and in its comments from
 * the first to the last sentence. What is far behind the best is left out, and what has less than half of the words.
 */
export function findPlaces(asked: string, files: SourceFile[]): Place[] {
  const sought = soughtWords(asked)
  const begins = new RegExp(sought.map(({ stem }) => stem.replace(/y$/, '')).join('|'), 'i')
  const candidates = files.flatMap((file) =>
    begins.test(file.path) || begins.test(file.source) ? candidate(file, sought, begins) : [],
  )
  const rarity = sought.map((_, at) => {
    const carrying = candidates.filter(({ path, passages }) => path[at] || passages.some(({ fit }) => fit[at]))
    return Math.log(1 + files.length / (1 + carrying.length))
  })
  const least = Math.ceil(sought.length / 2)
  const ranked = candidates
    .map((each) => weigh(each, asked, sought, rarity))
    .filter(({ place }) => place.met >= least)
    .toSorted((a, b) => b.weight - a.weight)
  const best = ranked[0]?.weight ?? 0
  return ranked.filter(({ weight }) => weight >= best * farBehind).map(({ place }) => place)
}

function candidate(file: SourceFile, sought: SoughtWord[], begins: RegExp): Candidate[] {
  const name = wordsOf(ownName(file.path))
  const folders = file.path.split('/').slice(1, -1).flatMap(wordsOf)
  const path = both(fitOf(name, sought, 2 + 1 / Math.max(1, name.length)), fitOf(folders, sought, 1.5))
  const passages = passagesOf(file.source)
    .filter((passage) => begins.test(passage.name) || begins.test(passage.said))
    .map((passage) => ({
      passage,
      fit: strongest(fitOf(wordsOf(passage.name), sought, 2), fitOf(wordsOf(passage.said), sought, 1.5)),
    }))
    .filter(({ fit }) => fit.some(Boolean))
  return path.some(Boolean) || passages.length > 0 ? [{ file, path, passages }] : []
}

/** Without folders and endings. */
const ownName = (path: string) => path.replace(/^.*\/|\..*$/g, '')

const fitOf = (words: string[], sought: SoughtWord[], weight: number): Fit =>
  sought.map((each) => weight * Math.max(0, ...words.map((word) => likeness(word, each))))
const strongest = (a: Fit, b: Fit): Fit => a.map((value, at) => Math.max(value, b[at] ?? 0))
/** The stronger of two, and a third of the other. */
const both = (a: Fit, b: Fit): Fit => strongest(a, b).map((value, at) => value + Math.min(a[at] ?? 0, b[at] ?? 0) / 3)
const total = (fit: Fit, rarity: number[]) => fit.reduce((sum, value, at) => sum + value * (rarity[at] ?? 0), 0)

/** What stands together counts whole; what only another place of the file says, a little. */
function weigh({ file, path, passages }: Candidate, asked: string, sought: SoughtWord[], rarity: number[]) {
  const own = wordsOf(ownName(file.path)).join(' ')
  // Of passages that say as much, the one about what the file is named after.
  const worth = ({ passage, fit }: Fitting) =>
    total(strongest(path, fit), rarity) * 100 + total(fit, rarity) + (wordsOf(passage.name).join(' ') === own ? 1 : 0)
  const best = passages.reduce<Fitting | undefined>((a, b) => (a && worth(a) >= worth(b) ? a : b), undefined)
  const here = best ? strongest(path, best.fit) : path
  const anywhere = passages.reduce((fit, each) => strongest(fit, each.fit), path)
  const all = rarity.reduce((sum, each) => sum + each, 0)
  const shares = rarity.map((each, at) => (here[at] ? each : anywhere[at] ? each / 3 : 0))
  const share = shares.reduce((sum, each) => sum + each, 0) / all
  const inARow = wordsInARow(file.path, asked) + (best ? wordsInARow(best.passage.said, asked) : 0)
  const weight = total(here, rarity) + total(anywhere, rarity) / 4 + (inARow * all) / sought.length
  return {
    weight: weight * share ** 2 * importance(file.path),
    place: { path: file.path, said: found(file, best, sought, rarity), met: anywhere.filter(Boolean).length },
  }
}

/** How many pairs of words follow each other as they were asked, with those that say little: 'sign in'. */
function wordsInARow(text: string, asked: string): number {
  const line = ` ${wordsOf(text).map(stemOf).join(' ')} `
  const stems = wordsOf(asked).map(stemOf)
  return stems.slice(1).filter((stem, at) => line.includes(` ${stems[at]} ${stem} `)).length
}

/** Whoever asks looks for what Keeper does before looking for what holds it to that. */
function importance(path: string): number {
  if (/\.(test|spec)\.tsx?$/.test(path)) return 0.4
  return /^(contract|server|web)\//.test(path) ? 1 : 0.5
}

function found(file: SourceFile, best: Fitting | undefined, sought: SoughtWord[], rarity: number[]): string {
  if (!best) return firstWords(file)
  const { name, said } = best.passage
  const [first = ''] = said
    .split(/(?<=[.?!]) (?=\S)/)
    .map((sentence) => ({ sentence, fit: total(fitOf(wordsOf(sentence), sought, 1), rarity) }))
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ sentence }) => sentence)
  return [name, first].filter(Boolean).join(': ')
}

const declaration =
  /^(?:export (?:default )?)?(?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)|^ {2}(\w+): endpoint\(/gm
const comment =
  /^[ \t]*\{?(?:\/\*|<!--)([\s\S]*?)(?:\*\/|-->)|^[ \t]*\/\/(.*(?:\n[ \t]*\/\/.*)*)|\bsummary:\s+'((?:\\.|[^'\\])*)'/gm
/** Right below a comment: what is declared there, also within a type or a table. */
const below =
  /\}?\n[ \t]*(?:(?:export|default|declare|async|readonly|static|const|let|function\*?|class|interface|type|enum|get|set) )*(#?\w+)/y

/** What a file says: its comments, the summaries of its calls, and the names it declares. */
function passagesOf(source: string): Passage[] {
  const declared = [...source.matchAll(declaration)].map((match) => ({
    at: match.index,
    name: match[1] ?? match[2] ?? '',
  }))
  const comments = [...source.matchAll(comment)].map((match): Passage => {
    const [whole, block, lines, summary] = match
    const said = plain(block ?? lines ?? summary ?? '')
    below.lastIndex = match.index + whole.length
    if (block !== undefined) return { name: below.exec(source)?.[1] ?? '', said }
    return { name: declared.findLast(({ at }) => at < match.index)?.name ?? '', said }
  })
  return [...comments, ...declared.map(({ name }) => ({ name, said: '' }))]
}

const plain = (text: string) =>
  text
    .replace(/^\s*(?:\*|\/\/)/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** What a file says at its top, else of what carries its name, else of the one thing it exports, else what it exports. */
export function firstWords({ path, source }: SourceFile): string {
  const header = source.match(/^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\n/)?.[1]
  if (header) return firstSentence(header)
  const own = wordsOf(ownName(path)).join(' ')
  const all = exportsOf(source)
  const named = all.find(({ name, said }) => said && wordsOf(name).join(' ') === own)
  if (named) return named.said
  const [only] = all
  if (all.length === 1 && only?.said) return `${only.name}: ${only.said}`
  return all
    .slice(0, 4)
    .map(({ name }) => name)
    .join(', ')
}

function exportsOf(source: string): Passage[] {
  const exported = source.matchAll(
    /(?:^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (?:default )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
  )
  return [...exported].map((match) => ({ name: match[2] ?? '', said: firstSentence(match[1] ?? '') }))
}

const firstSentence = (comment: string) => plain(comment.replace(/@throws[\s\S]*/, '')).replace(/(?<=\.) .*$/, '')

/** Folders that are called by all of the words. */
export function foldersCalled(asked: string, files: SourceFile[]): string[] {
  const sought = soughtWords(asked)
  const folders = new Set(files.map(({ path }) => path.replace(/\/[^/]+$/, '')))
  return [...folders].filter((folder) => {
    const name = wordsOf(folder.replace(/^.*\//, ''))
    return sought.every((each) => name.some((word) => likeness(word, each) >= 0.9))
  })
}

if (import.meta.main) {
  const asked = process.argv.slice(2).join(' ')
  const sought = soughtWords(asked)
  if (sought.length === 0) {
    console.error('Say a word: npm run where keys')
    process.exit(1)
  }
  const files = readSourceTree(root, searchedFiles)
  const questions = questionsIn(readFileSync(join(root, 'docs/README.md'), 'utf8')).filter(({ question }) =>
    fitOf(wordsOf(question), sought, 1).every(Boolean),
  )
  for (const { question, place } of questions) console.log(`\n${question}\n  ${place}`)
  const folders = foldersCalled(asked, files)
  if (folders.length > 0) console.log(`\nFolders: ${folders.join(', ')}`)

  const places = findPlaces(asked, files)
  const shown = places.slice(0, mostPlaces)
  if (shown[0] && shown.every(({ met }) => met < sought.length))
    console.log('\nNo file says all of this. Nearest to it:')
  else if (shown[0]) console.log()
  for (const { path, said } of shown) console.log(`  ${path.padEnd(48)} ${said}`)
  const more = places.length - shown.length
  if (more > 0) console.log(`\n… and ${more} more: another word finds fewer`)
  if (questions.length + folders.length + places.length === 0) console.log(`Nothing here says "${asked}".`)
}
