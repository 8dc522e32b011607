import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { codeLanguages } from '#contract/boards/frame-content.ts'

export type CodeLanguage = (typeof codeLanguages)[number]
/** Text with one CSS class; empty for the default text color. */
export interface HighlightedToken {
  text: string
  className: string
}

const grammars: Record<Exclude<CodeLanguage, 'text'>, LanguageInput> = {
  javascript: () => import('shiki/langs/javascript.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  bash: () => import('shiki/langs/bash.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
}

/** Theme classes, so that code follows the theme and color mode. */
const tokenClasses: Record<string, string> = {
  keyword: 'text-info',
  link: 'text-info underline',
  string: 'text-success',
  'string-expression': 'text-success',
  constant: 'text-warning',
  function: 'text-ribbon-text',
  comment: 'text-muted-foreground italic',
  punctuation: 'text-muted-foreground',
}

let highlighterPromise: Promise<HighlighterCore> | undefined
function getHighlighter(): Promise<HighlighterCore> {
  highlighterPromise ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'keeper', variablePrefix: '--code-' })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return highlighterPromise
}

/** A chunk ends with the line that takes it past this length, or to `maxChunkLines`. */
const minChunkCharacters = 3000
const maxChunkLines = 200
/** Longer lines stay plain. */
const maxLineLength = 4000
/** Generous, because the first line of a language includes loading its grammar. */
const maxMsPerLine = 2000
/** Slower texts stay plain from that chunk on. */
const maxMsPerChunk = 1500

export function splitChunks(text: string): string[] {
  const chunks: string[] = []
  let lines: string[] = []
  let length = 0
  for (const line of text.split('\n')) {
    if (length > minChunkCharacters || lines.length >= maxChunkLines) {
      chunks.push(lines.join('\n'))
      lines = []
      length = 0
    }
    lines.push(line)
    length += line.length + 1
  }
  return [...chunks, lines.join('\n')]
}

/** Highlights chunks in order, yielding to the event loop in between. */
export async function highlight(
  chunks: readonly string[],
  language: CodeLanguage,
  signal: AbortSignal,
  onChunk: (index: number, lines: HighlightedToken[][]) => void,
): Promise<void> {
  if (language === 'text') return
  const shiki = await getHighlighter()
  await shiki.loadLanguage(grammars[language])
  let grammarState: GrammarState | undefined
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return
    const startedAt = performance.now()
    const lines = shiki.codeToTokensBase(chunk, {
      lang: language,
      theme: 'keeper',
      tokenizeMaxLineLength: maxLineLength,
      tokenizeTimeLimit: maxMsPerLine,
      grammarState,
    })
    grammarState = shiki.getLastGrammarState(lines)
    onChunk(
      index,
      lines.map((tokens) =>
        mergeTokens(tokens.map(({ content, color }) => ({ text: content, className: getTokenClass(color) }))),
      ),
    )
    if (index > 0 && performance.now() - startedAt > maxMsPerChunk) return
  }
}

function getTokenClass(color: string | undefined): string {
  const kind = /--code-token-([\w-]+)/.exec(color ?? '')?.[1]
  return (kind && tokenClasses[kind]) || ''
}

function mergeTokens(tokens: readonly HighlightedToken[]): HighlightedToken[] {
  const merged: HighlightedToken[] = []
  for (const token of tokens) {
    const last = merged.at(-1)
    if (last?.className === token.className) last.text += token.text
    else merged.push({ ...token })
  }
  return merged
}
