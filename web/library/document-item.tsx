import { Braces, CloudUpload, Eye, File, FilePen, FileText, FileType, Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import type { SearchExcerpt } from '#contract/search/search-excerpt.ts'
import { DraftRestoredNote, EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { type DocumentInfo, type DocumentType, getCardTags, type LibraryDocument, parseTags } from './documents.ts'

const typeStyles: Record<DocumentType, { Icon: typeof File; colors: string }> = {
  pdf: { Icon: FileText, colors: 'bg-chart4/15 border-chart4/45 text-chart4' },
  json: { Icon: Braces, colors: 'bg-chart1/15 border-chart1/45 text-chart1' },
  markdown: { Icon: FilePen, colors: 'bg-chart5/15 border-chart5/45 text-chart5' },
  text: { Icon: FileType, colors: 'bg-chart3/15 border-chart3/45 text-chart3' },
  other: { Icon: File, colors: 'bg-chart2/15 border-chart2/45 text-chart2' },
}

function DocumentIcon({ type, small = false }: { type: DocumentType; small?: boolean }) {
  const { Icon, colors } = typeStyles[type]
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-[2px] rounded-se-lg border',
        small ? 'h-8 w-7' : 'h-11 w-[38px]',
        colors,
      )}
    >
      <Icon size={small ? 14 : 18} />
    </span>
  )
}

export interface DocumentActions {
  onView: (document: LibraryDocument) => void
  onEdit: (document: LibraryDocument) => void
  onKeep: (document: LibraryDocument) => void
  onDelete: (document: LibraryDocument) => void
  onSelect: (id: string, isSelected: boolean) => void
}

export interface DocumentItemProps {
  document: LibraryDocument
  excerpt: SearchExcerpt | undefined
  isSelected: boolean
  isSelecting: boolean
  /** The page of the copy on the server. */
  serverCopyPath: string | undefined
  actions: DocumentActions
}

export const DocumentCard = memo(function DocumentCard(props: DocumentItemProps) {
  const { document, excerpt, isSelected } = props
  const { name, description } = document
  return (
    <article aria-label={name} data-item className="h-full">
      <Card
        padded={false}
        className={classNames(
          'group flex h-full min-h-[134px] flex-col px-[15px] py-3.5 transition-shadow duration-120 hover:shadow-e2',
          isSelected && 'outline-2 -outline-offset-1 outline-ring',
        )}
      >
        <div className="flex items-start gap-3">
          <DocumentIcon type={document.type} />
          <div className="min-w-0 flex-1">
            <DocumentName {...props} className="text-body font-semibold" />
            <p className="mt-px text-small text-muted-foreground">
              <DocumentDetails document={document} />
            </p>
          </div>
          <SelectionCheckbox {...props} />
        </div>
        {description && <p className="mt-2.5 line-clamp-2 text-ui wrap-break-word">{description}</p>}
        {excerpt && <ExcerptText excerpt={excerpt} />}
        <ServerCopyLink {...props} />
        <div className="mt-auto flex items-center gap-2 pt-2">
          <Tags tags={document.tags} />
          <DocumentButtons {...props} />
        </div>
      </Card>
    </article>
  )
})

export const DocumentRow = memo(function DocumentRow(props: DocumentItemProps) {
  const { document, excerpt, isSelected } = props
  const { name, description, type, size, uploadedAt } = document
  return (
    <article
      aria-label={name}
      data-item
      className={classNames(
        'group relative flex min-h-[3.625rem] items-center gap-3 border-b border-hairline px-3 py-1.5 hover:bg-fill-hover phone:flex-wrap phone:px-1',
        isSelected && 'bg-ribbon-soft/50',
      )}
    >
      <SelectionCheckbox {...props} />
      <DocumentIcon type={type} small />
      <div className="min-w-0 flex-[3]">
        <DocumentName {...props} className="text-ui font-semibold" />
        {description && <p className="truncate text-small text-muted-foreground">{description}</p>}
        {excerpt && <ExcerptText excerpt={excerpt} />}
        <ServerCopyLink {...props} />
        <p className="text-small text-muted-foreground desk:hidden">
          <DocumentDetails document={document} />
        </p>
      </div>
      <div className="flex min-w-0 flex-[2] phone:hidden">
        <Tags tags={document.tags} />
      </div>
      <span className="w-20 shrink-0 text-small text-muted-foreground phone:hidden">{type}</span>
      <span className="w-20 shrink-0 text-end text-small text-muted-foreground tabular-nums phone:hidden">
        {formatSize(size)}
      </span>
      <Time value={uploadedAt} className="w-24 shrink-0 text-end text-small text-muted-foreground phone:hidden" />
      <DocumentButtons {...props} />
    </article>
  )
})

/** The title's click area covers the card; other controls sit above it. */
function DocumentName({ document, actions, className }: DocumentItemProps & { className: string }) {
  return (
    <h3 className={classNames('min-w-0 font-sans', className)}>
      <button
        type="button"
        onClick={() => actions.onView(document)}
        className="block max-w-full truncate text-start after:absolute after:inset-0 after:rounded-[inherit] hover:underline"
      >
        {document.name}
      </button>
    </h3>
  )
}

function DocumentDetails({ document: { type, size, uploadedAt } }: { document: LibraryDocument }) {
  return (
    <>
      {type}, {formatSize(size)}, <Time value={uploadedAt} />
    </>
  )
}

function ServerCopyLink({ document: { name }, serverCopyPath }: DocumentItemProps) {
  if (!serverCopyPath) return null
  return (
    <p className="mt-1 text-small">
      <Link
        to={serverCopyPath}
        aria-label={`Kept on the server: open ${name}`}
        className="relative z-1 rounded-xs text-muted-foreground underline decoration-input underline-offset-[3px] hover:decoration-current"
      >
        Kept on the server
      </Link>
    </p>
  )
}

function SelectionCheckbox({ document, isSelected, isSelecting, actions }: DocumentItemProps) {
  return (
    <Checkbox
      label={`Select ${document.name}`}
      labelHidden
      checked={isSelected}
      onCheckedChange={(next) => actions.onSelect(document.id, next)}
      className={classNames(
        'relative z-1 -m-1 shrink-0 p-1 transition-opacity duration-120',
        !isSelected &&
          !isSelecting &&
          'hover-hover:opacity-0 hover-hover:group-focus-within:opacity-100 hover-hover:group-hover:opacity-100',
      )}
    />
  )
}

function ExcerptText({ excerpt: { excerpt: text, marks } }: { excerpt: SearchExcerpt }) {
  return (
    <p className="mt-1.5 line-clamp-2 text-small text-muted-foreground wrap-break-word">
      <span className="font-label text-foreground">In the text: </span>
      <MarkedText text={text} marks={marks} className="rounded-xs bg-ribbon-soft text-foreground" />
    </p>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const { visible, more } = getCardTags(tags)
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1 empty:invisible">
      {visible.map((tag) => (
        <Badge key={tag} className="max-w-36">
          <span dir="auto" className="truncate leading-4">
            {tag}
          </span>
        </Badge>
      ))}
      {more && <span className="text-small text-muted-foreground">{more}</span>}
    </div>
  )
}

function DocumentButtons({ document, actions }: DocumentItemProps) {
  const { name } = document
  return (
    <div className="relative z-1 -me-1.5 flex shrink-0">
      <IconButton label={`View ${name}`} onClick={() => actions.onView(document)}>
        <Eye aria-hidden size={15} />
      </IconButton>
      <IconButton label={`Keep ${name} on the server`} onClick={() => actions.onKeep(document)}>
        <CloudUpload aria-hidden size={15} />
      </IconButton>
      <IconButton label={`Edit ${name}`} aria-keyshortcuts="E" onClick={() => actions.onEdit(document)}>
        <Pencil aria-hidden size={15} />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={() => actions.onDelete(document)} className="text-destructive!">
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  )
}

interface EditDialogProps {
  document: LibraryDocument
  /** Resolves to an error text, or undefined. */
  onSave: (info: DocumentInfo) => Promise<string | undefined>
  onClose: () => void
}

export function EditDialog({ document, onSave, onClose }: EditDialogProps) {
  const form = useSubmitForm({
    draftKey: `document/${document.id}`,
    blank: { name: document.name, description: document.description, tags: document.tags.join(', ') },
    validate: ({ name }) => ({ ...(name.trim() === '' && { name: 'Enter a name.' }) }),
    async submit({ name, description, tags }) {
      const info = { name: name.trim(), description: description.trim(), tags: parseTags(tags) }
      const problem = await onSave(info)
      if (problem) throw new Error(problem)
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      discardsOnCancel
      title="Edit document"
      saveLabel="Save"
      failureTitle="The document couldn’t be saved."
      locksWhileBusy
    >
      {form.restored && <DraftRestoredNote />}
      <TextField label="Name" required maxLength={250} {...form.field('name')} />
      <TextArea label="Description" truncates maxLength={2000} {...form.field('description')} />
      <TextField label="Tags" help="Separate them with commas." maxLength={1000} {...form.field('tags')} />
    </EntityFormDialog>
  )
}
