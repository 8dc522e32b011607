import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'

interface WritingAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> {
  value: string
  onValueChange: (value: string) => void
  /** Fades all paragraphs except the current one. */
  focus: boolean
}

/** Shared by all layers, so that their lines break alike. */
const lineClasses =
  'col-start-1 row-start-1 w-full px-11 py-[26px] font-serif text-write wrap-break-word whitespace-pre-wrap phone:px-5 phone:py-5 phone:text-[19px] phone:leading-[31px]'

const supportsFieldSizing = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** A plain textarea that grows with its text, to keep native undo, selection and input methods. */
export function WritingArea({ value, onValueChange, focus, ...textareaProps }: WritingAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    if (supportsFieldSizing || !area.current) return
    area.current.style.height = 'auto'
    area.current.style.height = `${area.current.scrollHeight}px`
  }, [value])

  return (
    <div className="relative grid flex-1 print:hidden">
      <textarea
        {...textareaProps}
        ref={area}
        value={value}
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart)
          onValueChange(event.currentTarget.value)
        }}
        onSelect={(event) => focus && setCaret(event.currentTarget.selectionStart)}
        className={classNames(
          lineClasses,
          'field-sizing-content resize-none overflow-hidden bg-transparent caret-ribbon outline-none',
          focus && 'text-muted-foreground',
        )}
      />
      {focus && <CurrentParagraph text={value} caret={caret} />}
    </div>
  )
}

/** Overlays the current paragraph in full color on the faded text. */
function CurrentParagraph({ text, caret }: { text: string; caret: number }) {
  const probe = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const end = text.indexOf('\n', caret)
  const measure = useEffectEvent(() => {
    if (!probe.current) return
    const mark = document.createElement('span')
    mark.className = 'inline-block h-[1lh] align-top'
    probe.current.replaceChildren(text.slice(0, from), mark)
    setTop(mark.offsetTop)
    // Keeping a second copy of a long text in the layout would slow down typing.
    probe.current.replaceChildren()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: text before the paragraph moves it, text in it does not
  useLayoutEffect(() => measure(), [from])
  useEffect(() => {
    if (!probe.current) return
    const widths = new ResizeObserver(() => measure())
    widths.observe(probe.current)
    return () => widths.disconnect()
  }, [])
  return (
    <>
      <div ref={probe} aria-hidden className={classNames(lineClasses, 'invisible absolute inset-x-0 top-0')} />
      <div
        aria-hidden
        data-paragraph
        style={{ top }}
        className={classNames(lineClasses, 'pointer-events-none absolute inset-x-0 py-0! text-foreground')}
      >
        {text.slice(from, end < 0 ? text.length : end)}
      </div>
    </>
  )
}
