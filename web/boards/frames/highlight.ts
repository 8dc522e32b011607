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
export interface Inked {
  text: string
  ink: string
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
const inks: Record<string, string> = {
  keyword: 'text-info',
  link: 'text-info underline',
  string: 'text-success',
  'string-expression': 'text-success',
  constant: 'text-warning',
  function: 'text-ribbon-text',
  comment: 'text-muted-foreground italic',
  punctuation: 'text-muted-foreground',
}

let started: Promise<HighlighterCore> | undefined
function highlighter(): Promise<HighlighterCore> {
  started ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'keeper', variablePrefix: '--code-' })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return started
}

const charactersAtOnce = 3000
/** Longer lines stay plain. */
const longestLine = 4000
/** Generous, because the first line of a language includes loading its grammar. */
const mostMsOfLine = 2000
/** Slower texts stay plain from that chunk on. */
const mostMsOfPiece = 1500

/** Splits text into chunks of lines that are highlighted and rendered separately. */
export function pieces(text: string): string[] {
  const all: string[] = []
  let lines: string[] = []
  let size = 0
  for (const line of text.split('\n')) {
    if (size > charactersAtOnce || lines.length >= 200) {
      all.push(lines.join('\n'))
      lines = []
      size = 0
    }
    lines.push(line)
    size += line.length + 1
  }
  return [...all, lines.join('\n')]
}

/** Highlights chunks in order, yielding to the event loop in between. */
export async function highlight(
  parts: readonly string[],
  language: CodeLanguage,
  signal: AbortSignal,
  onPiece: (at: number, lines: Inked[][]) => void,
): Promise<void> {
  if (language === 'text') return
  const shiki = await highlighter()
  await shiki.loadLanguage(grammars[language])
  let grammarState: GrammarState | undefined
  for (const [at, part] of parts.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return
    const begun = performance.now()
    const lines = shiki.codeToTokensBase(part, {
      lang: language,
      theme: 'keeper',
      tokenizeMaxLineLength: longestLine,
      tokenizeTimeLimit: mostMsOfLine,
      ...(grammarState && { grammarState }),
    })
    grammarState = shiki.getLastGrammarState(lines)
    onPiece(
      at,
      lines.map((tokens) => joined(tokens.map(({ content, color }) => ({ text: content, ink: inkOf(color) })))),
    )
    if (at > 0 && performance.now() - begun > mostMsOfPiece) return
  }
}

function inkOf(colour: string | undefined): string {
  const kind = /--code-token-([\w-]+)/.exec(colour ?? '')?.[1]
  return (kind && inks[kind]) || ''
}

/** Merges adjacent tokens with the same class. */
function joined(tokens: readonly Inked[]): Inked[] {
  const all: Inked[] = []
  for (const token of tokens) {
    const last = all.at(-1)
    if (last?.ink === token.ink) last.text += token.text
    else all.push({ ...token })
  }
  return all
}
