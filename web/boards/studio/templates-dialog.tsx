import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type BoardTemplate, boards } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { DeleteEntryDialog } from '#web/catalog/use-catalog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { boardsKey, useInvalidateBoards } from '../board-queries.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { QueryPlaceholder } from './studio-frame.tsx'

interface TemplatesDialogProps {
  onChoose: (template: BoardTemplate) => Promise<void>
  onClose: () => void
}

const maxIcons = 8

export default function TemplatesDialog({ onChoose, onClose }: TemplatesDialogProps) {
  const query = useQuery({
    queryKey: [...boardsKey, 'templates'],
    queryFn: ({ signal }) => readAllPages<BoardTemplate>(boards.templates, {}, signal),
  })
  const refetchBoards = useInvalidateBoards()
  const [chosenId, setChosenId] = useState<string>()
  const { visible, showMoreButton } = useLimitedList(query.data ?? [], {
    initialVisible: 50,
    size: 'small',
    variant: 'plain',
    className: 'mt-3',
  })
  const [deletingTemplate, setDeletingTemplate] = useState<BoardTemplate>()

  async function chooseTemplate(template: BoardTemplate) {
    if (chosenId) return
    setChosenId(template.id)
    await onChoose(template)
    onClose()
  }

  async function removeTemplate({ id }: BoardTemplate) {
    await call(boards.removeTemplate, { params: { id } })
    await refetchBoards()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="From a template"
      description="Creates a new board with these frames. You choose what each frame shows on the board."
      size="large"
    >
      <QueryPlaceholder
        query={query}
        title="Failed to load templates"
        skeleton={
          <SkeletonRows
            label="Loading templates"
            count={4}
            rowClassName="h-32 rounded-lg"
            className="grid grid-cols-2 gap-3 phone:grid-cols-1"
          />
        }
      />
      <ul className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        {visible.map((template) => (
          <li key={template.id} className="flex min-w-0 flex-col rounded-lg border border-border bg-card p-4">
            <div className="flex items-start gap-2">
              <h3 dir="auto" className="min-w-0 flex-1 text-[1.0625rem] wrap-break-word">
                {template.name}
              </h3>
              {template.system ? (
                <Badge>System</Badge>
              ) : (
                <IconButton
                  label={`Delete template ${template.name}`}
                  size="small"
                  className="-me-1.5 -mt-1"
                  onClick={() => setDeletingTemplate(template)}
                >
                  <Trash2 aria-hidden size={15} />
                </IconButton>
              )}
            </div>
            <p className="mt-1 line-clamp-3 flex-1 text-ui text-muted-foreground">{template.description}</p>
            <div className="mt-3 flex items-center gap-2">
              <span className="flex min-w-0 flex-1 items-center gap-1.5 text-muted-foreground">
                {template.frameTypes.slice(0, maxIcons).map((type, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same type can appear twice
                  <FrameIcon key={`${index} ${type}`} name={isFrameType(type) ? frameTypes[type].icon : ''} size={14} />
                ))}
                <span className="truncate text-small">{pluralize(template.frameCount, 'frame')}</span>
              </span>
              <Button
                size="small"
                aria-label={`Use ${template.name}`}
                busy={chosenId === template.id}
                onClick={() => void chooseTemplate(template)}
              >
                Use
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {showMoreButton}
      {deletingTemplate && (
        <DeleteEntryDialog
          name={`the template ${deletingTemplate.name}`}
          confirmLabel="Delete Template"
          onDelete={() => removeTemplate(deletingTemplate)}
          onClose={() => setDeletingTemplate(undefined)}
        >
          Boards created from this template don’t change. This can’t be undone.
        </DeleteEntryDialog>
      )}
    </Dialog>
  )
}
