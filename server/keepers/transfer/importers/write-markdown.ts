import type { RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { removeNeedlessEscapes } from './markdown-escapes.ts'

/** Writes Markdown as people do: dashes for lists, asterisks for emphasis, no unnecessary escapes. */
export function writeMarkdown(children: RootContent[]): string {
  const text = toMarkdown(
    { type: 'root', children },
    { bullet: '-', emphasis: '*', rule: '-', listItemIndent: 'one', extensions: [gfmToMarkdown()] },
  )
  return removeNeedlessEscapes(text).trim()
}
