import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/hooks/class-names.ts'

interface WritingAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> {
  value: string
  onValueChange: (value: string) => void
  /** Fades all paragraphs except the current one. */
  isFocusMode: boolean
}

/** Shared by all layers, so that their lines break alike. */
const lineClasses =
  'col-start-1 row-start-1 w-full px-11 py-[26px] font-serif text-write wrap-break-word whitespace-pre-wrap phone:px-5 phone:py-5 phone:text-[19px] phone:leading-[31px]'

const supportsFieldSizing = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** A plain textarea that grows with its text, to keep native undo, selection and input methods. */
export function WritingArea({ value, onValueChange, isFocusMode, ...textareaProps }: WritingAreaProps) {
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    if (supportsFieldSizing || !textareaRef.current) return
    textareaRef.current.style.height = 'auto'
    textareaRef.current.style.height = `${textareaRef.current.scrollHeight}px`
  }, [value])

  return (
    <div className="relative grid flex-1 print:hidden">
      <textarea
        {...textareaProps}
        ref={textareaRef}
        value={value}
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart)
          onValueChange(event.currentTarget.value)
        }}
        onSelect={(event) => isFocusMode && setCaret(event.currentTarget.selectionStart)}
        className={classNames(
          lineClasses,
          'field-sizing-content resize-none overflow-hidden bg-transparent caret-ribbon outline-none',
          isFocusMode && 'text-muted-foreground',
        )}
      />
      {isFocusMode && <CurrentParagraph text={value} caret={caret} />}
    </div>
  )
}

/** Overlays the current paragraph in full color on the faded text. */
function CurrentParagraph({ text, caret }: { text: string; caret: number }) {
  const probeRef = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const paragraphStart = text.lastIndexOf('\n', caret - 1) + 1
  const paragraphEnd = text.indexOf('\n', caret)
  const measure = useEffectEvent(() => {
    if (!probeRef.current) return
    const marker = document.createElement('span')
    marker.className = 'inline-block h-[1lh] align-top'
    probeRef.current.replaceChildren(text.slice(0, paragraphStart), marker)
    setTop(marker.offsetTop)
    // Keeping a second copy of a long text in the layout would slow down typing.
    probeRef.current.replaceChildren()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: text before the paragraph moves it, text in it does not
  useLayoutEffect(() => measure(), [paragraphStart])
  useEffect(() => {
    if (!probeRef.current) return
    const resizeObserver = new ResizeObserver(() => measure())
    resizeObserver.observe(probeRef.current)
    return () => resizeObserver.disconnect()
  }, [])
  return (
    <>
      <div ref={probeRef} aria-hidden className={classNames(lineClasses, 'invisible absolute inset-x-0 top-0')} />
      <div
        aria-hidden
        data-paragraph
        style={{ top }}
        className={classNames(lineClasses, 'pointer-events-none absolute inset-x-0 py-0! text-foreground')}
      >
        {text.slice(paragraphStart, paragraphEnd < 0 ? text.length : paragraphEnd)}
      </div>
    </>
  )
}
