import { Book, Check, Feather, FileCode, LayoutDashboard, Pencil, Route, Stamp } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type FrameContents, previewedEntities, readContent } from '#contract/boards/frame-content.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { cleanPage, toPageDocument } from '#web/ui/text/clean-page.ts'
import { SandboxedPage } from '#web/ui/text/sandboxed-page.tsx'
import { AgentPicker, BackButton, BoardPicker, JourneyPicker, KeeperPicker, MomentPicker } from './entity-pickers.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote, unavailableByLinkText } from './frame-boundary.tsx'
import { PreviewEntity } from './preview-entity.tsx'

const maxPageCharacters = 20_000

export type PreviewedEntity = (typeof previewedEntities)[number]

export function PreviewFrame(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const content = readContent('preview', frame.data.content)
  const canChange = context.mode === 'edit'
  const [isChoosing, setChoosing] = useState(false)

  if (content.kind === 'page') {
    return (
      <PreviewPage
        html={content.html}
        name={frame.data.name}
        onChange={canChange ? (html) => changeContent({ html }, `html/${frame.id}`) : undefined}
        onChooseEntity={canChange ? () => changeContent({ kind: 'entity' }) : undefined}
      />
    )
  }
  if (context.mode === 'sample') return <SamplePreview />
  if (context.linkToken) return <FrameNote>{unavailableByLinkText}</FrameNote>
  const previewed = getPreviewedEntity(content, props)
  if ((!previewed && canChange) || isChoosing) {
    return (
      <PreviewPicker
        onChoose={(entity, entityId) => {
          setChoosing(false)
          changeContent({ kind: 'entity', entity, entityId })
        }}
        onChoosePage={() => {
          setChoosing(false)
          changeContent({ kind: 'page' })
        }}
        onCancel={previewed ? () => setChoosing(false) : undefined}
      />
    )
  }
  if (!previewed) return <FrameNote>Nothing chosen yet.</FrameNote>
  return (
    <div className="group/preview relative h-full">
      <PreviewEntity
        key={`${previewed.entity} ${previewed.entityId}`}
        {...previewed}
        onChooseAnother={canChange ? () => setChoosing(true) : undefined}
      />
      {canChange && (
        <Button
          size="small"
          onClick={() => setChoosing(true)}
          className="absolute end-2 top-2 opacity-0 group-hover/preview:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        >
          Choose another
        </Button>
      )}
    </div>
  )
}

/** The chosen entity, else that of the frame or its board. */
function getPreviewedEntity(
  { entity, entityId }: FrameContents['preview'],
  { frame, context }: FrameBodyProps,
): { entity: PreviewedEntity; entityId: string } | undefined {
  if (entity && entityId) return { entity, entityId }
  for (const owner of [frame, context]) {
    const entityType = previewedEntities.find((candidate) => candidate === owner.entityType)
    if (entityType && owner.entityId) return { entity: entityType, entityId: owner.entityId }
  }
}

function SamplePreview() {
  return (
    <blockquote className="px-3.5 py-3 font-serif text-[1.0625rem] leading-[1.4375rem] italic">
      “Nothing here asks to be photographed.”
    </blockquote>
  )
}

interface PreviewPageProps {
  html: string
  name: string
  onChange: ((html: string) => void) | undefined
  onChooseEntity: (() => void) | undefined
}

/** Renders HTML in a sandbox without scripts, forms or network access. */
function PreviewPage({ html, name, onChange, onChooseEntity }: PreviewPageProps) {
  const [isEditing, setEditing] = useState(false)
  const page = useMemo(() => cleanPage(html), [html])
  const isEmpty = html.trim() === ''
  const isEditorOpen = onChange !== undefined && (isEditing || isEmpty)
  if (isEmpty && !onChange) return <FrameNote>This page is empty.</FrameNote>
  return (
    <div className="flex h-full min-h-0 flex-col">
      {isEditorOpen ? (
        <textarea
          dir="auto"
          aria-label="The page as HTML"
          placeholder="<h1>A page</h1>"
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
          autoFocus={isEditing}
          value={html}
          maxLength={maxPageCharacters}
          spellCheck={false}
          onChange={(event) => {
            setEditing(true)
            onChange(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setEditing(false)
          }}
          className="min-h-0 grow resize-none bg-transparent px-3 py-2 font-mono text-code outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-ring"
        />
      ) : (
        <Sandbox html={page.html} name={name} />
      )}
      {onChange && (
        <div className="flex shrink-0 items-center gap-1 border-t border-hairline ps-3 pe-1.5 text-small text-muted-foreground">
          <span className="min-w-0 grow py-1">
            {page.hasRemovedContent ? 'Scripts, styles, forms and links are removed.' : ''}
          </span>
          {onChooseEntity && isEmpty && (
            <Button size="small" variant="plain" onClick={onChooseEntity}>
              Show one of your items instead
            </Button>
          )}
          {!isEmpty && (
            <IconButton
              label={isEditorOpen ? 'Show the page' : 'Edit the page'}
              size="small"
              onClick={() => setEditing(!isEditorOpen)}
            >
              {isEditorOpen ? <Check aria-hidden size={14} /> : <Pencil aria-hidden size={13} />}
            </IconButton>
          )}
        </div>
      )}
    </div>
  )
}

function Sandbox({ html, name }: { html: string; name: string }) {
  const { mode } = useTheme()
  const page = useMemo(() => toPageDocument(html, mode), [html, mode])
  return <SandboxedPage title={name} document={page} className="min-h-0 w-full grow border-0 bg-card" />
}

interface PreviewPickerProps {
  onChoose: (entity: PreviewedEntity, entityId: string) => void
  onChoosePage: () => void
  onCancel: (() => void) | undefined
}

const previewKinds: { kind: PreviewedEntity | 'page'; label: string; icon: ReactNode }[] = [
  { kind: 'moment', label: 'A moment', icon: <Feather aria-hidden size={15} /> },
  { kind: 'journey', label: 'A journey', icon: <Route aria-hidden size={15} /> },
  { kind: 'keeper', label: 'A keeper', icon: <Book aria-hidden size={15} /> },
  { kind: 'agent', label: 'An agent', icon: <Stamp aria-hidden size={15} /> },
  { kind: 'board', label: 'A board', icon: <LayoutDashboard aria-hidden size={15} /> },
  { kind: 'page', label: 'A page', icon: <FileCode aria-hidden size={15} /> },
]

/** Asks for the kind of entity first, then for the entity. */
function PreviewPicker({ onChoose, onChoosePage, onCancel }: PreviewPickerProps) {
  const [kind, setKind] = useState<PreviewedEntity>()
  const [keeperId, setKeeperId] = useState<string>()
  if (!kind) {
    return (
      <div className="flex min-h-full flex-col gap-2 px-3 py-2.5">
        <p className="font-serif text-[1rem] leading-[1.375rem]">What do you want to see here?</p>
        <ul className="-mx-1 grid grid-cols-[repeat(auto-fill,minmax(min(7.25rem,100%),1fr))] gap-1">
          {previewKinds.map(({ kind: optionKind, label, icon }) => (
            <li key={optionKind}>
              <button
                type="button"
                onClick={() => (optionKind === 'page' ? onChoosePage() : setKind(optionKind))}
                className="flex min-h-8 w-full items-center gap-2 rounded-md border border-border bg-card px-2 py-1.5 text-start text-ui hover:border-input hover:bg-muted phone:min-h-10"
              >
                {icon}
                {label}
              </button>
            </li>
          ))}
        </ul>
        {onCancel && <BackButton onBack={onCancel} label="Keep the current item" />}
      </div>
    )
  }
  const pickerProps = {
    onChoose: (id: string) => onChoose(kind, id),
    children: <BackButton onBack={() => (keeperId ? setKeeperId(undefined) : setKind(undefined))} />,
  }
  if (kind === 'agent') return <AgentPicker title="Which agent?" {...pickerProps} />
  if (kind === 'board') return <BoardPicker title="Which board?" {...pickerProps} />
  if (kind === 'keeper') return <KeeperPicker title="Which keeper?" {...pickerProps} />
  if (!keeperId) return <KeeperPicker title="From which keeper?" {...pickerProps} onChoose={setKeeperId} />
  return kind === 'journey' ? (
    <JourneyPicker title="Which journey?" keeperId={keeperId} {...pickerProps} />
  ) : (
    <MomentPicker title="Which moment?" keeperId={keeperId} {...pickerProps} />
  )
}
