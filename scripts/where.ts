import { readSourceTree, roots, type SourceFile } from '#tests/source-tree.ts'

/** Every file of a word in every root: `npm run where keys`. */
export function filesAbout(word: string, files: SourceFile[]): SourceFile[] {
  const wanted = word.toLowerCase().replaceAll(' ', '-')
  return files.filter(({ path }) =>
    path
      .split('/')
      .slice(1)
      .some((part) => `-${part.replace(/\..*$/, '')}-`.includes(`-${wanted}-`)),
  )
}

/** The first sentence a file says about itself, else what it exports. */
export function firstWords(source: string): string {
  const comment = source.match(/\/\*\*\s*(?:\*\s*)?([^\n]*?)\s*(?:\*\/|\n)/)?.[1] ?? source.match(/^\/\/ (.*)$/m)?.[1]
  if (comment) return comment.replace(/(?<=\.)\s.*$/, '')
  const names = [...source.matchAll(/^export (?:default )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm)]
  return names
    .slice(0, 4)
    .map((match) => match[1])
    .join(', ')
}

if (import.meta.main) {
  const word = process.argv[2]
  if (!word) {
    console.error('Say a word: npm run where keys')
    process.exit(1)
  }
  const found = filesAbout(word, readSourceTree())
  for (const root of roots) {
    const own = found.filter(({ path }) => path.startsWith(`${root}/`)).sort((a, b) => (a.path < b.path ? -1 : 1))
    if (own.length > 0) console.log(`\n${root}/`)
    for (const { path, source } of own) {
      console.log(`  ${path.slice(root.length + 1).padEnd(44)} ${firstWords(source)}`)
    }
  }
  if (found.length === 0) console.log(`No file is about "${word}".`)
}
