import { Check, Pencil } from 'lucide-react'
import { Fragment, memo, useEffect, useMemo, useRef, useState } from 'react'
import { codeLanguages, readContent } from '#contract/boards/frame-content.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { normalizeLineEndings } from '#web/ui/text/line-endings.ts'
import { languageNames } from './content-names.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { type CodeLanguage, type HighlightedToken, highlight, splitChunks } from './highlight.ts'

type LineEnding = '\n' | '\r\n' | '\r'
interface Line {
  text: string
  end: LineEnding | ''
}

/** A line and its ending; the last one ends the text. */
const linePattern = /([^\r\n]*)(\r\n|\n|\r|$)/g
function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (const [, lineText = '', end = ''] of text.matchAll(linePattern)) {
    lines.push({ text: lineText, end: end as Line['end'] })
    if (end === '') break
  }
  return lines
}

/** Restores the original line endings after an edit in a textarea, which knows only \n; new lines get the most common one. */
export function restoreLineEndings(original: string, edited: string): string {
  if (!original.includes('\r')) return edited
  if (edited === normalizeLineEndings(original)) return original
  const [originalLines, editedLines] = [splitLines(original), splitLines(edited)]
  const maxSameCount = Math.min(originalLines.length, editedLines.length)
  let sameStartCount = 0
  while (sameStartCount < maxSameCount && originalLines[sameStartCount]?.text === editedLines[sameStartCount]?.text)
    sameStartCount++
  let sameEndCount = 0
  const maxSameEndCount = maxSameCount - sameStartCount
  while (
    sameEndCount < maxSameEndCount &&
    originalLines.at(-1 - sameEndCount)?.text === editedLines.at(-1 - sameEndCount)?.text
  )
    sameEndCount++
  const usualEnding = findUsualEnding(originalLines)
  return editedLines
    .map(({ text, end }, index) => {
      if (end === '') return text
      let originalLine: Line | undefined
      if (index < sameStartCount) originalLine = originalLines[index]
      else if (index >= editedLines.length - sameEndCount) originalLine = originalLines.at(index - editedLines.length)
      return text + (originalLine?.end || usualEnding)
    })
    .join('')
}

function findUsualEnding(lines: readonly Line[]): LineEnding {
  const count = (end: LineEnding) => lines.filter((line) => line.end === end).length
  const ends: LineEnding[] = ['\n', '\r\n', '\r']
  return ends.toSorted((a, b) => count(b) - count(a))[0] ?? '\n'
}

const maxCodeCharacters = 20_000

export function CodeSnippet({ frame, context, changeContent }: FrameBodyProps) {
  const { code, language } = readContent('code_snippet', frame.data.content)
  const canChange = context.mode === 'edit'
  const [isEditorOpen, setEditorOpen] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const isEditing = canChange && (isEditorOpen || code === '')
  const finishEditing = () => {
    setEditorOpen(false)
    requestAnimationFrame(() => editButton.current?.focus())
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-1 border-b border-hairline ps-3 pe-1.5 text-small text-muted-foreground">
        {canChange ? (
          <select
            aria-label="Language"
            value={language}
            onChange={(event) => changeContent({ language: event.currentTarget.value })}
            className="-ms-1.5 min-w-0 cursor-pointer truncate rounded-sm bg-transparent px-1 py-0.5 hover:bg-fill phone:text-lead"
          >
            {codeLanguages.map((name) => (
              <option key={name} value={name}>
                {languageNames[name]}
              </option>
            ))}
          </select>
        ) : (
          <span>{languageNames[language]}</span>
        )}
        <span className="grow" />
        {canChange && code !== '' && (
          <IconButton
            ref={editButton}
            label={isEditing ? 'Done' : 'Edit code'}
            size="small"
            pressed={isEditing}
            onClick={() => (isEditing ? finishEditing() : setEditorOpen(true))}
          >
            {isEditing ? <Check aria-hidden size={14} /> : <Pencil aria-hidden size={13} />}
          </IconButton>
        )}
        {code !== '' && <CopyButton text={code} label="Copy code" />}
      </div>
      {isEditing && (
        <textarea
          aria-label="Code"
          placeholder="Write or paste code or preformatted text."
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
          autoFocus={isEditorOpen}
          value={normalizeLineEndings(code)}
          maxLength={maxCodeCharacters}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          onChange={(event) => {
            setEditorOpen(true)
            changeContent({ code: restoreLineEndings(code, event.currentTarget.value) }, `code/${frame.id}`)
          }}
          onKeyDown={(event) => {
            const isFinishKey = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            if (!isFinishKey) return
            event.preventDefault()
            event.stopPropagation()
            finishEditing()
          }}
          className="min-h-0 grow resize-none overflow-auto bg-transparent px-3 py-2 font-mono text-code whitespace-pre outline-none [tab-size:2] focus-visible:inset-ring-2 focus-visible:inset-ring-ring"
        />
      )}
      {!isEditing && code === '' && (
        <p className="grid grow place-items-center text-small text-muted-foreground">No code or text yet.</p>
      )}
      {!isEditing && code !== '' && <HighlightedCode code={code} language={language} />}
    </div>
  )
}

function HighlightedCode({ code, language }: { code: string; language: CodeLanguage }) {
  const chunks = useMemo(() => splitChunks(normalizeLineEndings(code)), [code])
  const [highlighted, setHighlighted] = useState<{ chunks: string[]; linesByChunk: HighlightedToken[][][] }>({
    chunks,
    linesByChunk: [],
  })
  useEffect(() => {
    const controller = new AbortController()
    const linesByChunk: HighlightedToken[][][] = []
    setHighlighted({ chunks, linesByChunk })
    highlight(chunks, language, controller.signal, (index, chunkLines) => {
      linesByChunk[index] = chunkLines
      setHighlighted({ chunks, linesByChunk: [...linesByChunk] })
    }).catch((reason) => {
      // Without its grammar the code stays readable, just not highlighted.
      if (!controller.signal.aborted) console.warn('Failed to highlight code', reason)
    })
    return () => controller.abort()
  }, [chunks, language])
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 grow overflow-auto px-3 py-2 font-mono text-code [tab-size:2] focus-visible:-outline-offset-2"
    >
      <code>
        {chunks.map((chunk, index) => (
          <CodeChunk
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
            key={index}
            text={chunk}
            lines={highlighted.chunks === chunks ? highlighted.linesByChunk[index] : undefined}
          />
        ))}
      </code>
    </pre>
  )
}

/** A separate block, so that the browser can skip rendering it off screen. */
const CodeChunk = memo(function CodeChunk({ text, lines }: { text: string; lines: HighlightedToken[][] | undefined }) {
  return (
    <span className="block [contain-intrinsic-size:auto_20px] [content-visibility:auto]">
      {lines
        ? lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by index
            <Fragment key={index}>
              {line.map(({ text: tokenText, className }, tokenIndex) =>
                className === '' ? (
                  tokenText
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: tokens are identified by index
                  <span key={tokenIndex} className={className}>
                    {tokenText}
                  </span>
                ),
              )}
              {'\n'}
            </Fragment>
          ))
        : `${text}\n`}
    </span>
  )
})
