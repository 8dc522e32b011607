import {
  type ComponentProps,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTextHeight } from '#web/ui/fields/use-text-height.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { normalizeLineEndings } from '#web/ui/text/line-endings.ts'

interface WritingAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> {
  value: string
  onValueChange: (value: string) => void
  /** Fades all paragraphs except the current one, and keeps its line in place. */
  isFocusMode: boolean
  /** Scrolls in its box instead of growing. */
  isScrolling: boolean
}

interface Caret {
  offset: number
  isCollapsed: boolean
}

/** Shared by all layers, so that their lines break alike. */
const lineClasses =
  'w-full px-11 font-serif text-write wrap-break-word whitespace-pre-wrap phone:px-5 phone:text-[1.1875rem] phone:leading-[1.9375rem]'
const pagePadding = 'py-[26px] phone:py-5'
/** Lets the first and the last line reach the line of the caret, without being higher than the box. */
const focusPadding =
  'pt-[calc((100dvh-var(--k-keyboard,0px))*0.45-5rem)] pb-[calc((100dvh-var(--k-keyboard,0px))*0.55-6rem)] phone:pt-[calc((100dvh-var(--k-keyboard,0px))*0.45-7rem)]'

/** Focus mode keeps the caret at this share of the window's height, from the top. */
const caretHeightShare = 0.45

/** A plain textarea, to keep native undo, selection and input methods. */
export function WritingArea({ value, onValueChange, isFocusMode, isScrolling, ...textareaProps }: WritingAreaProps) {
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const probeRef = useRef<HTMLDivElement>(null)
  const layerRef = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<Caret>({ offset: 0, isCollapsed: true })
  const padding = isFocusMode ? focusPadding : pagePadding
  const inputReporter = useInputReporter(textareaRef, onValueChange)

  // Uncontrolled, because React would also rewrite the default value with every key, which is slow for a long text.
  useLayoutEffect(() => {
    const textarea = textareaRef.current
    if (textarea && textarea.value !== value) textarea.value = value
  }, [value])

  useTextHeight(textareaRef, value, !isScrolling)

  const revealCaret = useEffectEvent(() => {
    const [textarea, probe] = [textareaRef.current, probeRef.current]
    if (!textarea || !probe || document.activeElement !== textarea) return
    const caretTop = measureTextTop(textarea, probe, textarea.selectionStart)
    if (isScrolling) {
      textarea.scrollTop = caretTop - textarea.clientHeight * caretHeightShare
      if (getSheetTop(textarea) < 0) window.scrollBy({ top: getSheetTop(textarea) - phoneHeaderPx })
    } else window.scrollBy({ top: textarea.getBoundingClientRect().top + caretTop - getCaretLine() })
    setCaret(readCaret(textarea))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: either of them moves the text
  useLayoutEffect(() => revealCaret(), [isFocusMode, isScrolling])

  function syncLayer() {
    if (layerRef.current) layerRef.current.style.translate = `0 ${-(textareaRef.current?.scrollTop ?? 0)}px`
  }

  return (
    <div
      className={classNames(
        'relative grid flex-1 grid-cols-[minmax(0,1fr)] print:hidden',
        isScrolling && 'min-h-0 grid-rows-[minmax(0,1fr)] overflow-hidden',
      )}
    >
      <textarea
        {...textareaProps}
        ref={textareaRef}
        onChange={(event) => {
          if (isFocusMode) setCaret(readCaret(event.currentTarget))
          // The layer of focus mode and a growing sheet follow the text in the same frame.
          if (isScrolling && !isFocusMode) inputReporter.reportAfterFrame()
          else inputReporter.report()
        }}
        onKeyDown={(event) => {
          // A shortcut can save the text.
          if (event.ctrlKey || event.metaKey) inputReporter.reportPending()
        }}
        onBlur={inputReporter.reportPending}
        onSelect={(event) => {
          if (isFocusMode) setCaret(readCaret(event.currentTarget))
        }}
        onScroll={isFocusMode ? syncLayer : undefined}
        className={classNames(
          lineClasses,
          padding,
          'resize-none bg-transparent caret-ribbon outline-none',
          isScrolling ? 'overflow-y-auto' : 'field-sizing-content overflow-hidden',
          isFocusMode && 'text-muted-foreground [scrollbar-width:none]',
        )}
      />
      <div ref={probeRef} aria-hidden className={classNames(lineClasses, padding, 'invisible absolute top-0')} />
      {isFocusMode && (
        <div ref={layerRef} aria-hidden className="pointer-events-none absolute inset-x-0 top-0">
          <CurrentParagraph
            text={normalizeLineEndings(value)}
            caret={caret}
            textareaRef={textareaRef}
            probeRef={probeRef}
            syncLayer={syncLayer}
          />
        </div>
      )}
    </div>
  )
}

/** Reports long texts after the frame that shows the typed key, because rendering the page would delay that frame. */
function useInputReporter(textareaRef: RefObject<HTMLTextAreaElement | null>, onValueChange: (value: string) => void) {
  const latestOnValueChange = useRef(onValueChange)
  latestOnValueChange.current = onValueChange
  const [inputReporter] = useState(() => {
    let isPending = false
    const report = () => {
      isPending = false
      if (textareaRef.current) latestOnValueChange.current(textareaRef.current.value)
    }
    const reportPending = () => {
      if (isPending) report()
    }
    const reportAfterFrame = () => {
      if (isPending) return
      isPending = true
      requestAnimationFrame(() => setTimeout(reportPending))
    }
    return { report, reportPending, reportAfterFrame }
  })
  useLayoutEffect(() => {
    const { reportPending } = inputReporter
    // In the capture phase, to run before the draft is stored for the next visit.
    addEventListener('pagehide', reportPending, { capture: true })
    document.addEventListener('visibilitychange', reportPending, { capture: true })
    return () => {
      removeEventListener('pagehide', reportPending, { capture: true })
      document.removeEventListener('visibilitychange', reportPending, { capture: true })
      reportPending()
    }
  }, [inputReporter])
  return inputReporter
}

const readCaret = ({ selectionStart, selectionEnd }: HTMLTextAreaElement): Caret => ({
  offset: selectionStart,
  isCollapsed: selectionStart === selectionEnd,
})

function getCaretLine(): number {
  return (visualViewport?.offsetTop ?? 0) + (visualViewport?.height ?? innerHeight) * caretHeightShare
}

function measureTextTop(textarea: HTMLTextAreaElement, probe: HTMLElement, offset: number): number {
  const marker = document.createElement('span')
  marker.className = 'inline-block h-[1lh] align-top'
  probe.style.width = `${textarea.clientWidth}px`
  probe.replaceChildren(textarea.value.slice(0, offset), marker)
  const top = marker.offsetTop
  // A second copy of a long text in the layout would slow down typing.
  probe.replaceChildren()
  return top
}

interface CurrentParagraphProps {
  text: string
  caret: Caret
  textareaRef: RefObject<HTMLTextAreaElement | null>
  probeRef: RefObject<HTMLDivElement | null>
  syncLayer: () => void
}

/** Overlays the current paragraph in full color on the faded text, and scrolls its line to the height of the caret. */
function CurrentParagraph({ text, caret, textareaRef, probeRef, syncLayer }: CurrentParagraphProps) {
  const paragraphRef = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const paragraphStart = text.lastIndexOf('\n', caret.offset - 1) + 1
  const paragraphEnd = text.indexOf('\n', caret.offset)

  const measure = useEffectEvent(() => {
    if (textareaRef.current && probeRef.current)
      setTop(measureTextTop(textareaRef.current, probeRef.current, paragraphStart))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: text before the paragraph moves it, text in it does not
  useLayoutEffect(() => measure(), [paragraphStart])
  useEffect(() => {
    if (!textareaRef.current) return
    const resizeObserver = new ResizeObserver(() => measure())
    resizeObserver.observe(textareaRef.current)
    return () => resizeObserver.disconnect()
  }, [textareaRef])

  const alignCaretLine = useEffectEvent(() => {
    const [textarea, paragraph] = [textareaRef.current, paragraphRef.current]
    const textNode = paragraph?.firstChild
    if (!textarea || !textNode || document.activeElement !== textarea || !caret.isCollapsed) return
    syncLayer()
    alignToWindow(textarea)
    const range = document.createRange()
    range.setStart(textNode, Math.min(caret.offset - paragraphStart, textNode.textContent?.length ?? 0))
    const caretTop = (range.getClientRects()[0] ?? paragraph.getBoundingClientRect()).top
    textarea.scrollTop += caretTop - getCaretLine()
    syncLayer()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them moves the caret
  useLayoutEffect(() => alignCaretLine(), [caret, text, top])

  return (
    <div
      ref={paragraphRef}
      data-paragraph
      style={{ top }}
      className={classNames(lineClasses, 'absolute inset-x-0 text-foreground')}
    >
      {text.slice(paragraphStart, paragraphEnd < 0 ? text.length : paragraphEnd) || '\u200b'}
    </div>
  )
}

const sheetMarginPx = 16
const phoneHeaderPx = 60

const getSheetTop = (textarea: HTMLElement) => textarea.closest('[data-writing]')?.getBoundingClientRect().top ?? 0

/** In focus mode the sheet is as high as the window. */
function alignToWindow(textarea: HTMLTextAreaElement): void {
  const distance = getSheetTop(textarea) - sheetMarginPx
  if (Math.abs(distance) > 1) window.scrollBy({ top: distance })
}
