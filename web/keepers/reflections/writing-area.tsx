import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'

interface WritingAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> {
  value: string
  onValueChange: (value: string) => void
  /** Every paragraph but the one being written fades. */
  focus: boolean
}

/** Both layers set their lines alike. */
const lines =
  'col-start-1 row-start-1 w-full px-11 py-[26px] font-serif text-write wrap-break-word whitespace-pre-wrap phone:px-5 phone:py-5 phone:text-[19px] phone:leading-[31px]'

const growsByItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** A plain text area that grows with its text: undo, selection and input methods are the browser's own. */
export function WritingArea({ value, onValueChange, focus, ...rest }: WritingAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is that of the new text
  useLayoutEffect(() => {
    if (growsByItself || !area.current) return
    area.current.style.height = 'auto'
    area.current.style.height = `${area.current.scrollHeight}px`
  }, [value])

  return (
    <div className="grid flex-1 print:hidden">
      <textarea
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart)
          onValueChange(event.currentTarget.value)
        }}
        onSelect={(event) => focus && setCaret(event.currentTarget.selectionStart)}
        className={classNames(
          lines,
          'field-sizing-content resize-none overflow-hidden bg-transparent caret-ribbon outline-none',
        )}
      />
      {focus && <Paragraphs text={value} caret={caret} />}
    </div>
  )
}

/** The same words over the text area, so that a paragraph can have a colour of its own. */
function Paragraphs({ text, caret }: { text: string; caret: number }) {
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const end = text.indexOf('\n', caret)
  const to = end < 0 ? text.length : end
  return (
    <div aria-hidden data-paragraphs className={classNames(lines, 'pointer-events-none text-muted-foreground')}>
      {text.slice(0, from)}
      <span className="text-foreground">{text.slice(from, to)}</span>
      {text.slice(to)}
    </div>
  )
}
