import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { EntityForm } from '#web/offline/use-entity-form.tsx'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useFocusWithin } from '#web/ui/hooks/use-focus-within.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import type { useUploads } from '../media/form-uploads.ts'
import { getTransferFiles, MediaPicker } from '../media/media-picker.tsx'
import { listSetDetails, type MomentDetail } from './moment-details.ts'
import type { MomentDraft } from './moment-draft.ts'
import { PhotoOriginOffer } from './place-field.tsx'

const loadTools = () => import('./moment-tools.tsx')
const loadPanel = () => import('./moment-panel.tsx')
const MomentTools = lazyComponent(async () => (await loadTools()).MomentTools, <span />)
const DetailPanel = lazyComponent(async () => (await loadPanel()).DetailPanel, <span />)

export const defaultMomentQuestion = 'What is worth keeping from today?'

interface MomentFormProps {
  keeper: Keeper
  form: EntityForm<MomentDraft>
  uploads: ReturnType<typeof useUploads>
  label: string
  canSave: boolean
  textRef?: Ref<HTMLTextAreaElement>
  /** Only for a new moment, whose tools are hidden until someone writes. */
  question?: string
  startsFocused?: boolean
  /** Replaces the question while the text is empty. */
  status?: string | false
  className?: string
  /** Buttons after the tools. */
  children: ReactNode
}

export function MomentForm({ keeper, form, uploads, label, canSave, textRef, question, ...props }: MomentFormProps) {
  const { values: draft, set, isSaving, ready, failure, conflictDialog } = form
  const { startsFocused = false, status, className, children } = props
  const isNew = question !== undefined
  const formRef = useRef<HTMLFormElement>(null)
  const panelId = useId()
  const [openDetail, setOpenDetail] = useState<MomentDetail | null>(null)
  const { hasFocus, onFocus } = useFocusWithin(startsFocused)
  const { isDraggedOver, ...dropHandlers } = useFileDrop(isSaving ? () => {} : uploads.add)
  const hasFiles = draft.media.length + uploads.running.length + uploads.rejections.length > 0
  const hasDetails = openDetail !== null || listSetDetails(draft).length > 0
  const isAtRest = isNew && !hasFocus && !hasFiles && !hasDetails && draft.body === ''
  const isStatusInText = isNew && Boolean(status) && draft.body === ''

  // Preloaded, so that the tools and the panel appear with the first word, even offline.
  useEffect(() => void Promise.allSettled([loadTools(), loadPanel()]), [])

  async function save() {
    if (!canSave) return
    const hadFocus = formRef.current?.contains(document.activeElement)
    if (!(await form.save())) return
    setOpenDetail(null)
    if (hadFocus) formRef.current?.querySelector('textarea')?.focus()
  }

  function closePanel() {
    setOpenDetail(null)
    const tools = formRef.current?.querySelector('[data-tools]')
    tools?.querySelector<HTMLElement>(`[aria-controls="${panelId}"], [data-panel]`)?.focus()
  }

  return (
    <>
      <form
        ref={formRef}
        data-chrome
        aria-label={label}
        onFocus={onFocus}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={sendOnKey(() => void save())}
        {...dropHandlers}
        className={classNames(
          'relative rounded-page border border-border bg-paper shadow-e2 transition-[border-color,box-shadow] duration-120',
          'has-[textarea:focus]:border-input has-[textarea:focus]:ring-3 has-[textarea:focus]:ring-ring/28',
          isDraggedOver && 'bg-ribbon-soft outline-2 -outline-offset-6 outline-ribbon outline-dashed',
          className,
        )}
      >
        <textarea
          ref={textRef}
          dir="auto"
          aria-label={isNew ? defaultMomentQuestion : 'What happened'}
          aria-keyshortcuts={isNew ? 'C M' : undefined}
          placeholder={isStatusInText ? undefined : question}
          rows={2}
          value={draft.body}
          readOnly={isSaving || !ready}
          onChange={(event) => set({ body: event.currentTarget.value })}
          onPaste={(event: ClipboardEvent) => {
            const files = getTransferFiles(event.clipboardData)
            if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
            event.preventDefault()
            if (!isSaving) uploads.add(files)
          }}
          className={classNames(
            'field-sizing-content block max-h-[60vh] w-full phone:max-h-[45dvh] resize-none rounded-[inherit] bg-transparent px-6 pt-3.5 font-serif text-read caret-ribbon placeholder:text-muted-foreground placeholder:italic focus-visible:outline-hidden phone:px-4',
            isAtRest ? 'min-h-[calc(2lh+1.75rem)] pb-3.5' : 'min-h-[calc(2lh+1.125rem)] pb-1',
          )}
        />
        <p
          role="status"
          className={
            isStatusInText
              ? 'pointer-events-none absolute inset-x-6 top-3.5 animate-fade font-serif text-read text-muted-foreground italic phone:inset-x-4'
              : 'px-6 pb-1 text-small text-muted-foreground empty:pb-0 phone:px-4'
          }
        >
          {status || null}
        </p>
        {!isAtRest && (
          <>
            <ReadOnlyWhile while={isSaving}>
              <div className="flex flex-col gap-3 px-6 pt-1 pb-2 empty:hidden phone:px-4">
                <MediaPicker value={draft.media} onValueChange={(media) => set({ media })} uploads={uploads} />
                {isNew && <PhotoOriginOffer value={draft} onValueChange={set} />}
              </div>
            </ReadOnlyWhile>
            <div className="flex flex-wrap items-center gap-x-3 px-4 pb-2.5 phone:sticky phone:bottom-0 phone:gap-x-1 phone:rounded-[inherit] phone:bg-paper phone:px-1 phone:pb-2">
              <ReadOnlyWhile while={isSaving}>
                <MomentTools
                  keeper={keeper}
                  draft={draft}
                  openDetail={openDetail}
                  onOpen={(detail) => setOpenDetail(openDetail === detail ? null : detail)}
                  panelId={panelId}
                  onHiddenFromAiChange={(isHidden) => set({ aiVisible: !isHidden })}
                  onFiles={uploads.add}
                />
              </ReadOnlyWhile>
              <div className="ms-auto flex items-center gap-3 phone:pe-1.5">{children}</div>
            </div>
            {openDetail && (
              <ReadOnlyWhile while={isSaving}>
                <DetailPanel
                  key={openDetail}
                  id={panelId}
                  detail={openDetail}
                  keeper={keeper}
                  draft={draft}
                  onChange={set}
                  isNew={isNew}
                  onClose={closePanel}
                />
              </ReadOnlyWhile>
            )}
          </>
        )}
        {failure !== undefined && (
          <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive phone:px-4">
            {failure instanceof Error ? failure.message : String(failure)}
          </p>
        )}
      </form>
      {conflictDialog}
    </>
  )
}

function useFileDrop(onFiles: (files: File[]) => void) {
  const [isDraggedOver, setDraggedOver] = useState(false)
  return {
    isDraggedOver,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setDraggedOver(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDraggedOver(false)
    },
    onDrop(event: DragEvent) {
      setDraggedOver(false)
      const files = getTransferFiles(event.dataTransfer)
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    },
  }
}
