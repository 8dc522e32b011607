import { Check, Pencil } from 'lucide-react'
import { Fragment, memo, useEffect, useMemo, useRef, useState } from 'react'
import { codeLanguages, readContent } from '#contract/boards/frame-content.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { type CodeLanguage, highlight, type Inked, pieces } from './highlight.ts'
import { languageNames } from './language-names.ts'
import { boxText, withLineEnds } from './line-endings.ts'

const mostCharacters = 20_000

/** Highlighted code, edited in a plain textarea. */
export function CodeSnippet({ frame, surroundings, changeContent }: FrameBodyProps) {
  const { code, language } = readContent('code_snippet', frame.data.content)
  const mayChange = surroundings.mode === 'edit'
  const [writing, setWriting] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const isWriting = mayChange && (writing || code === '')
  const end = () => {
    setWriting(false)
    requestAnimationFrame(() => pencil.current?.focus())
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-1 border-b border-hairline ps-3 pe-1.5 text-small text-muted-foreground">
        {mayChange ? (
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
        {mayChange && code !== '' && (
          <IconButton
            ref={pencil}
            label={isWriting ? 'Done' : 'Edit code'}
            size="small"
            pressed={isWriting}
            onClick={() => (isWriting ? end() : setWriting(true))}
          >
            {isWriting ? <Check aria-hidden size={14} /> : <Pencil aria-hidden size={13} />}
          </IconButton>
        )}
        {code !== '' && <CopyButton text={code} label="Copy code" />}
      </div>
      {isWriting ? (
        <textarea
          aria-label="Code"
          placeholder="Write or paste code or preformatted text."
          // biome-ignore lint/a11y/noAutofocus: it stands in the place of what was pressed
          autoFocus={writing}
          value={boxText(code)}
          maxLength={mostCharacters}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          onChange={(event) => {
            setWriting(true)
            changeContent({ code: withLineEnds(code, event.currentTarget.value) }, `code/${frame.id}`)
          }}
          onKeyDown={(event) => {
            const isEnd = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            if (!isEnd) return
            event.preventDefault()
            event.stopPropagation()
            end()
          }}
          className="min-h-0 grow resize-none overflow-auto bg-transparent px-3 py-2 font-mono text-code whitespace-pre outline-none [tab-size:2] focus-visible:inset-ring-2 focus-visible:inset-ring-ring"
        />
      ) : code === '' ? (
        <p className="grid grow place-items-center text-small text-muted-foreground">Nothing written yet.</p>
      ) : (
        <Coloured code={code} language={language} />
      )}
    </div>
  )
}

function Coloured({ code, language }: { code: string; language: CodeLanguage }) {
  const parts = useMemo(() => pieces(boxText(code)), [code])
  const [inked, setInked] = useState<{ of: string[]; lines: Inked[][][] }>({ of: parts, lines: [] })
  useEffect(() => {
    const left = new AbortController()
    const lines: Inked[][][] = []
    setInked({ of: parts, lines })
    highlight(parts, language, left.signal, (at, piece) => {
      lines[at] = piece
      setInked({ of: parts, lines: [...lines] })
    }).catch((reason) => {
      // Without its grammar the code stays readable, just not highlighted.
      if (!left.signal.aborted) console.warn('Failed to highlight code', reason)
    })
    return () => left.abort()
  }, [parts, language])
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 grow overflow-auto px-3 py-2 font-mono text-code [tab-size:2] focus-visible:-outline-offset-2"
    >
      <code>
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are told apart by their place
          <Piece key={at} text={part} lines={inked.of === parts ? inked.lines[at] : undefined} />
        ))}
      </code>
    </pre>
  )
}

/** A separate block, so that the browser can skip rendering it off screen. */
const Piece = memo(function Piece({ text, lines }: { text: string; lines: Inked[][] | undefined }) {
  return (
    <span className="block [contain-intrinsic-size:auto_20px] [content-visibility:auto]">
      {lines
        ? lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are told apart by their place
            <Fragment key={at}>
              {line.map(({ text: words, ink }, place) =>
                ink === '' ? (
                  words
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: and so are words
                  <span key={place} className={ink}>
                    {words}
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
