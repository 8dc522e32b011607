import { Focus } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStoredFlag } from '#web/offline/use-stored-flag.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { ReflectionWriting } from './journal-queries.ts'
import { useTopicNames } from './journal-queries.ts'

// Each Han, Hiragana or Katakana character counts as a word, because these scripts have no spaces.
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+(?:['’‑-](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+)*/gu

const surrogatePairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

export function countWords(text: string): number {
  let count = 0
  wordPattern.lastIndex = 0
  while (wordPattern.test(text)) count++
  return count
}

/** Counts code points: 🌊 is one character. */
export function countCharacters(text: string): number {
  return text.length - (text.match(surrogatePairs)?.length ?? 0)
}

interface WritingSheetProps {
  writing: ReflectionWriting
  onChange: (writing: ReflectionWriting) => void
  /** True until the draft is loaded, and while a conflict is open. */
  readOnly?: boolean
  /** `Saved 12:04`, `Saved in this browser`. */
  status: ReactNode
  onSave: () => void
  saving: boolean
  saveLabel: string
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl+Enter saves from anywhere in the sheet. */
export function WritingSheet({ writing, onChange, readOnly, status, onSave, saving, saveLabel }: WritingSheetProps) {
  const [isFocusMode, setFocusMode] = useStoredFlag('keeper-journal-focus')
  const sheetRef = useRef<HTMLDivElement>(null)
  const canSave = writing.content.trim() !== '' && !saving && !readOnly

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (canSave) onSave()
    }
    if (event.key === 'Escape' && isFocusMode) {
      event.preventDefault()
      setFocusMode(false)
    }
  }

  return (
    <Card
      ref={sheetRef}
      kind="paper"
      padded={false}
      data-writing={isFocusMode ? 'focus' : 'page'}
      onKeyDown={handleKeyDown}
      className="flex min-h-[640px] flex-col has-[textarea:focus-visible]:border-input phone:-mx-1.5 phone:min-h-[540px]"
    >
      <TopicLine writing={writing} onChange={onChange} readOnly={readOnly} />
      <WritingArea
        value={writing.content}
        onValueChange={(content) => onChange({ ...writing, content })}
        readOnly={readOnly}
        isFocusMode={isFocusMode}
        aria-label="Reflection"
        placeholder="Begin anywhere."
        spellCheck
      />
      <div className="flex flex-wrap items-center gap-2.5 border-t border-hairline py-3 ps-6 pe-3.5 phone:gap-2 phone:py-2.5 phone:ps-5 phone:pe-3 print:hidden">
        {/* Reserves the height of a long status, so that the text doesn't move. */}
        <div className="flex min-h-12 min-w-0 flex-1 basis-40 flex-col justify-center phone:min-h-16 phone:basis-28">
          <TextCounts text={writing.content} />
          <span role="status" className="text-small text-muted-foreground">
            {status}
          </span>
        </div>
        <Button
          size="small"
          variant="plain"
          aria-pressed={isFocusMode}
          title={isFocusMode ? 'Leave focus mode (Escape)' : 'Show only the current paragraph'}
          icon={<Focus aria-hidden size={14} />}
          onClick={() => {
            setFocusMode(!isFocusMode)
            sheetRef.current?.querySelector('textarea')?.focus()
          }}
          className="aria-pressed:bg-fill phone:w-[34px] phone:px-0!"
        >
          <span className="phone:sr-only">Focus</span>
        </Button>
        <Button variant="primary" disabled={!canSave} busy={saving} onClick={onSave} aria-keyshortcuts="Control+Enter">
          <span className="inline-flex items-center gap-2">
            {saveLabel}
            <Kbd className="border-current/40! bg-transparent! text-inherit! phone:hidden">
              {isMac ? '⌘↵' : 'Ctrl ↵'}
            </Kbd>
          </span>
        </Button>
      </div>
    </Card>
  )
}

function TopicLine({ writing, onChange, readOnly }: Pick<WritingSheetProps, 'writing' | 'onChange' | 'readOnly'>) {
  const topicId = useId()
  const listId = useId()
  const topicNames = useTopicNames()
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-hairline px-11 pt-[22px] pb-4 phone:px-5 phone:pt-4 phone:pb-3 print:hidden">
      <label htmlFor={topicId} className="text-ui font-medium text-muted-foreground">
        Topic
      </label>
      <input
        id={topicId}
        list={listId}
        value={writing.topic}
        maxLength={80}
        readOnly={readOnly}
        autoComplete="off"
        aria-description="Optional"
        onChange={(event) => onChange({ ...writing, topic: event.currentTarget.value })}
        className="min-w-0 flex-1 basis-40 bg-transparent font-serif text-[20px] leading-7 outline-none focus-visible:shadow-[0_1px_0_var(--k-ring)]"
      />
      <datalist id={listId}>
        {topicNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <span aria-hidden className={classNames('text-small text-muted-foreground', writing.topic && 'phone:hidden')}>
        optional
      </span>
      <Switch
        label="Not for AI"
        title="Models never see this reflection"
        checked={!writing.aiVisible}
        disabled={readOnly}
        onCheckedChange={(hidden) => onChange({ ...writing, aiVisible: !hidden })}
        className="self-center text-muted-foreground"
      />
    </div>
  )
}

/** Deferred, so that counting a long text doesn't delay typing. */
function TextCounts({ text }: { text: string }) {
  const deferredText = useDeferredValue(text)
  const [wordCount, characterCount] = useMemo(
    () => [pluralize(countWords(deferredText), 'word'), pluralize(countCharacters(deferredText), 'character')],
    [deferredText],
  )
  if (deferredText.trim() === '') return null
  return (
    <span className="animate-fade text-small whitespace-nowrap text-muted-foreground tabular-nums">
      {wordCount}
      <span className="phone:sr-only"> · {characterCount}</span>
    </span>
  )
}

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
function WritingArea({ value, onValueChange, isFocusMode, ...textareaProps }: WritingAreaProps) {
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
