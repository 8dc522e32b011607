import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build } from 'rolldown'
import { report, root } from '../bench/measure.ts'
import { type FuzzedParser, fuzzParser, maxParseMs } from '../tests/malformed/fuzz-parser.ts'
import { parsers } from '../tests/malformed/parsers.ts'

// `--times=` inputs per parser, `--seed=` to reproduce, `--only=slug` for some parsers.
const cliOptions = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const times = Number(cliOptions.times ?? 1_000_000)
const seed = Number(cliOptions.seed ?? 20_261_121)

for (const parser of [...parsers, await buildMarkdownParser()]) {
  if (!parser.name.includes(cliOptions.only ?? '')) continue
  const { findings, slowestMs } = await fuzzParser(parser, { times, seed })
  for (const { inputNumber, problem, input } of findings.slice(0, 5))
    console.log(
      `${parser.name}: input ${inputNumber} of seed ${seed} ${problem.slice(0, 400)}: ${JSON.stringify(input.slice(0, 400))}`,
    )
  report(
    `${parser.name}, ${times} inputs`,
    `${findings.length} failed, the slowest ${slowestMs.toFixed(1)} ms`,
    `0 thrown, none over ${maxParseMs} ms`,
    findings.length === 0,
  )
}
await checkControl('an exception at two rare characters', {
  parse(text) {
    if (/\u202e.*\ufeff/s.test(text)) throw new TypeError('planted')
  },
})
await checkControl('a pattern with catastrophic backtracking', {
  parse: (text) => /^(a+)+$/.test(`${'a'.repeat(text.length % 25)}!`),
})

async function checkControl(defect: string, parser: Pick<FuzzedParser, 'parse'>): Promise<void> {
  const { findings } = await fuzzParser({ name: defect, fragments: ['a', 'b'], ...parser }, { times: 600, seed })
  report(`control: ${defect}`, `noticed: ${findings.length} times`, 'must be noticed', findings.length > 0)
}

async function buildMarkdownParser(): Promise<FuzzedParser> {
  // In node_modules, so that the build output finds the packages.
  const dataDir = mkdtempSync(join(root, 'node_modules/.keeper-gate-'))
  const file = join(dataDir, 'markdown-text.mjs')
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  await build({
    input: join(root, 'web/agents/chat/markdown-text.tsx'),
    platform: 'node',
    // Formulas and front matter are loaded on demand.
    external: (id) => !/^[./#]/.test(id) || /\/(render-formula\.ts|front-matter-table\.tsx)$/.test(id),
    logLevel: 'silent',
    output: { file, format: 'esm' },
  })
  const { default: MarkdownText } = await import(file)
  const authors = ['agent', 'document', 'person']
  const [blocks] = parsers
  if (!blocks) throw new Error('the Markdown parser is missing')
  return {
    name: 'markdown on the page',
    fragments: blocks.fragments,
    maxLength: 4000,
    parse(text) {
      const author = authors[text.length % authors.length]
      const html = renderToStaticMarkup(createElement(MarkdownText, { text, author, streaming: text.length % 2 === 0 }))
      if (/<(script|iframe|object|style|img)|\son\w+=|href="(?!https?:|mailto:|#text-)/i.test(html))
        throw new Error(`shows ${html.slice(0, 200)}`)
    },
  }
}
