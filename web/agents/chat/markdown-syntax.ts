import { gfmFromMarkdown } from 'mdast-util-gfm'
import { setextUnderline } from 'micromark-core-commonmark'
import { gfm } from 'micromark-extension-gfm'
import type { TextRules } from './text-author.ts'

interface SyntaxData {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

const equalsSign = 61

/** GFM, read only: remark-gfm would also load the writer. */
export function markdownSyntax(this: unknown, { rules }: { rules: TextRules }) {
  const data = (this as { data(): SyntaxData }).data()
  const disabled = [
    ...(rules.typedLines ? [setextUnderline.name] : []),
    ...(rules.indentedCode ? [] : ['codeIndented']),
  ]
  // Below a typed line, `---` is a rule; `===` can only be a heading.
  const flow = rules.typedLines ? { [equalsSign]: { ...setextUnderline, name: 'equalsUnderline' } } : {}
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    // Models write "5~7" for a range.
    gfm({ singleTilde: false }),
    { flow, disable: { null: disabled } },
  ]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}
