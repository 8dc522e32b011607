import { Focus } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useStoredFlag } from '#web/offline/use-stored-setting.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { runWhenIdle } from '#web/ui/hooks/run-when-idle.ts'
import { useRootAttribute } from '#web/ui/hooks/use-root-attribute.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { ReflectionDraft } from './journal-queries.ts'
import { useTopicNames } from './journal-queries.ts'
import { emptyTextCounts, type TextCounts, updateTextCounts } from './text-counts.ts'
import { WritingArea } from './writing-area.tsx'

interface WritingSheetProps {
  draft: ReflectionDraft
  onChange: (draft: ReflectionDraft) => void
  /** True until the draft is loaded, and while a conflict is open. */
  readOnly?: boolean
  /** `Saved 12:04`, `Saved in this browser`. */
  status: ReactNode
  onSave: () => void
  isSaving: boolean
  saveLabel: string
  /** Changes with each saved reflection, after which the sheet turns. */
  savedId?: string | undefined
}

// Importing `getCommandKeyName` would rearrange the shared chunks and make other pages heavier.
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl+Enter saves from anywhere in the sheet. */
export function WritingSheet({
  draft,
  onChange,
  readOnly,
  status,
  onSave,
  isSaving,
  saveLabel,
  savedId,
}: WritingSheetProps) {
  const [isFocusMode, setFocusMode] = useStoredFlag('keeper-journal-focus')
  const sheetRef = useRef<HTMLDivElement>(null)
  const counts = useTextCounts(draft.content)
  const isLong = useIsLong(counts.words)
  const [animatedId, setAnimatedId] = useState(savedId)
  const [hasFocus, setHasFocus] = useState(false)
  useKeyboardInset()
  useRootAttribute('data-writing-mode', isFocusMode && hasFocus ? 'focus' : 'page')
  useLayoutEffect(() => {
    const sheet = sheetRef.current
    if (isLong && sheet)
      sheet.style.setProperty('--sheet-top', `${Math.round(sheet.getBoundingClientRect().top + scrollY)}px`)
  }, [isLong])
  const canSave = draft.content.trim() !== '' && !isSaving && !readOnly

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

  /** While another window has the focus, `activeElement` stays in the sheet. */
  function handleBlur({ currentTarget, relatedTarget }: FocusEvent) {
    setHasFocus([relatedTarget, document.activeElement].some((node) => currentTarget.contains(node as Node | null)))
  }

  return (
    <Card
      ref={sheetRef}
      kind="paper"
      padded={false}
      data-writing={isFocusMode ? 'focus' : 'page'}
      onFocus={() => setHasFocus(true)}
      onBlur={handleBlur}
      onKeyDown={handleKeyDown}
      onAnimationEnd={(event) => {
        if (event.target === event.currentTarget) setAnimatedId(savedId)
      }}
      className={classNames(
        'flex flex-col has-[textarea:focus-visible]:border-input phone:-mx-1.5',
        savedId !== animatedId && 'animate-turn',
        isFocusMode && 'h-[calc(100dvh-2rem-var(--k-keyboard,0px))]',
        isLong &&
          !isFocusMode &&
          'min-h-96 desk:h-[calc(100dvh-var(--sheet-top)-1rem)] phone:h-[calc(100dvh-4.5rem-var(--k-keyboard,0px))]',
        !isLong && !isFocusMode && 'min-h-[40rem] phone:min-h-[34rem]',
      )}
    >
      <TopicLine draft={draft} onChange={onChange} readOnly={readOnly} />
      <WritingArea
        value={draft.content}
        onValueChange={(content) => onChange({ ...draft, content })}
        readOnly={readOnly}
        isFocusMode={isFocusMode}
        isScrolling={isFocusMode || isLong}
        aria-label="Reflection"
        placeholder="Begin anywhere."
        spellCheck
      />
      <div className="sticky bottom-(--k-keyboard,0px) z-10 flex items-center gap-2.5 rounded-[inherit] rounded-t-none border-t border-hairline bg-paper py-2.5 ps-6 pe-3.5 phone:gap-2 phone:py-2 phone:ps-5 phone:pe-3 print:hidden">
        <div className="flex min-h-9 min-w-0 flex-1 flex-col justify-center">
          <TextCountsLine {...counts} />
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
          className="shrink-0 aria-pressed:bg-fill phone:size-10 phone:px-0!"
        >
          <span className="phone:sr-only">Focus</span>
        </Button>
        <Button
          variant="primary"
          disabled={!canSave}
          busy={isSaving}
          onClick={onSave}
          aria-keyshortcuts="Control+Enter"
          className="shrink-0"
        >
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

function TopicLine({ draft, onChange, readOnly }: Pick<WritingSheetProps, 'draft' | 'onChange' | 'readOnly'>) {
  const topicId = useId()
  const listId = useId()
  const topicNames = useTopicNames()
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-hairline px-11 pt-[22px] pb-4 phone:px-5 phone:pt-4 phone:pb-3 print:hidden">
      <label htmlFor={topicId} className="text-ui font-medium text-muted-foreground">
        Topic
      </label>
      <input
        dir="auto"
        id={topicId}
        list={listId}
        value={draft.topic}
        maxLength={80}
        readOnly={readOnly}
        autoComplete="off"
        aria-description="Optional"
        onChange={(event) => onChange({ ...draft, topic: event.currentTarget.value })}
        className="min-w-0 flex-1 basis-40 bg-transparent font-serif text-[1.25rem] leading-7 outline-none focus-visible:shadow-[0_1px_0_var(--k-ring)]"
      />
      <datalist id={listId}>
        {topicNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <span aria-hidden className={classNames('text-small text-muted-foreground', draft.topic && 'phone:hidden')}>
        optional
      </span>
      <Switch
        label="Not for AI"
        title="Models never see this reflection"
        checked={!draft.aiVisible}
        disabled={readOnly}
        onCheckedChange={(isHidden) => onChange({ ...draft, aiVisible: !isHidden })}
        className="text-muted-foreground *:last:self-baseline"
      />
    </div>
  )
}

/** Sets `--k-keyboard` to the height of an on-screen keyboard that covers the page instead of resizing it. */
function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = visualViewport
    if (!viewport) return
    const update = () => {
      const inset = viewport.scale > 1 ? 0 : Math.max(0, innerHeight - viewport.height - viewport.offsetTop)
      document.documentElement.style.setProperty('--k-keyboard', `${Math.round(inset)}px`)
    }
    update()
    viewport.addEventListener('resize', update)
    viewport.addEventListener('scroll', update)
    return () => {
      viewport.removeEventListener('resize', update)
      viewport.removeEventListener('scroll', update)
      document.documentElement.style.removeProperty('--k-keyboard')
    }
  }, [])
}

const countDelayMs = 250
/** A larger change isn't typing, so it is counted immediately. */
const maxTypedLength = 100

/** Counts typed text a few times a second, because a second frame for each key would delay the next one. */
function useTextCounts(text: string): TextCounts {
  const [counts, setCounts] = useState(emptyTextCounts)
  const isCounted = counts.text === text
  const isTyped = text !== '' && Math.abs(text.length - counts.text.length) <= maxTypedLength
  const currentCounts = isCounted || isTyped ? counts : updateTextCounts(counts, text)
  if (currentCounts !== counts) setCounts(currentCounts)
  const updateCounts = useEffectEvent(() => setCounts(updateTextCounts(counts, text)))
  useEffect(() => {
    if (isCounted) return
    const timer = setTimeout(() => runWhenIdle(() => updateCounts(), countDelayMs), countDelayMs)
    return () => clearTimeout(timer)
  }, [isCounted])
  return currentCounts
}

/** Longer texts scroll in the sheet; growing with them would make typing slow. The gap prevents flipping back and forth. */
const [maxGrowingWords, minScrollingWords] = [3_000, 2_800]

function useIsLong(wordCount: number): boolean {
  const [isLong, setLong] = useState(false)
  const isStillLong = wordCount > (isLong ? minScrollingWords : maxGrowingWords)
  if (isLong !== isStillLong) setLong(isStillLong)
  return isStillLong
}

function TextCountsLine({ text, words, characters }: TextCounts) {
  if (text.trim() === '') return null
  return (
    <span className="animate-fade text-small whitespace-nowrap text-muted-foreground tabular-nums">
      {pluralize(words, 'word')}
      <span className="phone:sr-only"> · {pluralize(characters, 'character')}</span>
    </span>
  )
}
