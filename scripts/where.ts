import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceTree, roots, type SourceFile } from '#tests/source-tree.ts'
import { root } from './fingerprint.ts'
import { questionsIn } from './questions.ts'

/** A file, and what it says of itself. */
interface Place {
  path: string
  said: string
}

/** Every file that has the word in its own name or a folder's, in every root: `npm run where keys`. */
export function filesAbout(word: string, files: SourceFile[]): Place[] {
  const wanted = wordsOf(word).join(' ')
  const carries = (name: string) => ` ${wordsOf(name.replace(/\..*$/, '')).join(' ')} `.includes(` ${wanted} `)
  return files
    .filter(({ path }) => path.split('/').slice(1).some(carries))
    .map((file) => ({ path: file.path, said: firstWords(file) }))
}

/** Files that say the word of something they export, in its name or in the sentence above it, whatever they are called. */
export function filesThatSay(word: string, files: SourceFile[]): Place[] {
  const wanted = wordsOf(word)
  return files.flatMap(({ path, source }) => {
    if (/\.(test|spec)\.tsx?$/.test(path)) return []
    const found = exportsOf(source).find(({ name, said }) => hasAll(wordsOf(`${name} ${said}`), wanted))
    return found ? [{ path, said: `${found.name}: ${found.said}` }] : []
  })
}

/** From four letters on the beginning of a word is enough: `encrypt` finds 'encrypts' and `encrypted`. */
const hasAll = (words: string[], wanted: string[]) =>
  wanted.every((sought) => words.some((word) => word === sought || (sought.length >= 4 && word.startsWith(sought))))

/** 'Keys', 'key' and 'keys' are one word; `chooseKey`, 'choose key' and `choose-key` are the same two. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))

/** What a file says at its top, else of the export that carries its name, else of its first, else what it exports. */
export function firstWords({ path, source }: SourceFile): string {
  const header = source.match(/^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\n/)?.[1]
  if (header) return sentence(header)
  const own = wordsOf(path.replace(/^.*\/|\..*$/g, '')).join(' ')
  const all = exportsOf(source)
  const told = all.filter(({ said }) => said)
  const chosen = told.find(({ name }) => wordsOf(name).join(' ') === own) ?? told[0]
  const names = all.slice(0, 4).map(({ name }) => name)
  return chosen?.said ?? (sentence(source.match(/^\/\*\*([\s\S]*?)\*\//m)?.[1] ?? '') || names.join(', '))
}

function exportsOf(source: string): { name: string; said: string }[] {
  const found = source.matchAll(
    /(?:^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (?:default )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
  )
  return [...found].map((match) => ({ name: match[2] ?? '', said: sentence(match[1] ?? '') }))
}

const sentence = (comment: string) =>
  comment
    .replace(/^\s*\*/gm, '')
    .replace(/@throws[\s\S]*/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\.) .*$/, '')

if (import.meta.main) {
  const word = process.argv.slice(2).join(' ')
  if (!word) {
    console.error('Say a word: npm run where keys')
    process.exit(1)
  }
  const files = readSourceTree(root, /\.(ts|tsx|cjs|mjs|js|css|html)$/)
  const questions = questionsIn(readFileSync(join(root, 'docs/README.md'), 'utf8'))
  const asked = questions.filter(({ question }) => hasAll(wordsOf(question), wordsOf(word)))
  for (const { question, place } of asked) console.log(`\n${question}\n  ${place}`)

  const about = filesAbout(word, files)
  print(about)
  const most = 20
  const others = filesThatSay(word, files).filter(({ path }) => about.every((file) => file.path !== path))
  if (others.length > 0 && about.length < most) {
    console.log('\nNot in a name, but said of what is in it:')
    print(others.slice(0, most))
    if (others.length > most) console.log(`\n… and in ${others.length - most} more`)
  }
  if (asked.length + about.length + others.length === 0) console.log(`Nothing here says "${word}".`)
}

function print(places: Place[]): void {
  for (const folder of roots) {
    const own = places.filter(({ path }) => path.startsWith(`${folder}/`)).sort((a, b) => (a.path < b.path ? -1 : 1))
    if (own.length > 0) console.log(`\n${folder}/`)
    for (const { path, said } of own) console.log(`  ${path.slice(folder.length + 1).padEnd(44)} ${said}`)
  }
}
