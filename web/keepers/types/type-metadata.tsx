import { LayoutPanelLeft, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { DeleteTypeDialog, TypeDialog } from './type-dialogs.tsx'

/** Only the creator of a type can edit it. */
export function TypeMetadata({ type, onDeleted }: { type: KeeperType; onDeleted: () => void }) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete'>()
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 phone:grid-cols-1">
        <TypeDetail label="Name">{type.name}</TypeDetail>
        <TypeDetail label="ID">
          <code className="font-mono text-code">{type.id}</code>
        </TypeDetail>
        <TypeDetail label="Memory pattern">{type.memoryPattern}</TypeDetail>
        <TypeDetail label="Kind">{type.system ? 'System Reserved' : 'User Created'}</TypeDetail>
        <TypeDetail label="Created at">
          <Time value={type.createdAt} />
        </TypeDetail>
        <TypeDetail label="Keepers using this type">{pluralize(type._count.Keeper, 'keeper')} of yours</TypeDetail>
        {type.description && (
          <div className="col-span-2 min-w-0 phone:col-span-1">
            <dt className="text-small text-muted-foreground">Description</dt>
            <dd className="mt-0.5 wrap-break-word">{type.description}</dd>
          </div>
        )}
      </dl>
      <div className="mt-6 border-t border-hairline pt-4">
        {type.system ? (
          <ReadOnly id={type.id}>This is a system-reserved Keeper Type. Editing is disabled.</ReadOnly>
        ) : type.mine ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpenDialog('edit')} aria-keyshortcuts="E" icon={<Pencil aria-hidden size={14} />}>
              Edit Type
            </Button>
            <LinkButton to={getTypeBoardPath(type.id)} icon={<LayoutPanelLeft aria-hidden size={14} />}>
              Open as board
            </LinkButton>
            <Button
              variant="danger-text"
              onClick={() => setOpenDialog('delete')}
              icon={<Trash2 aria-hidden size={14} />}
            >
              Delete Type
            </Button>
          </div>
        ) : (
          <ReadOnly id={type.id}>
            Someone you share a domain with created this keeper type. Only they can change it.
          </ReadOnly>
        )}
      </div>
      {openDialog === 'edit' && <TypeDialog type={type} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'delete' && (
        <DeleteTypeDialog type={type} onClose={() => setOpenDialog(undefined)} onDeleted={onDeleted} />
      )}
    </Card>
  )
}

const getTypeBoardPath = (id: string) => `/studio/keeper-type-board?keeperTypeId=${encodeURIComponent(id)}`

function ReadOnly({ id, children }: { id: string; children: ReactNode }) {
  return (
    <>
      <p className="text-ui text-muted-foreground">{children}</p>
      <LinkButton to={getTypeBoardPath(id)} icon={<LayoutPanelLeft aria-hidden size={14} />} className="mt-3">
        Open as board
      </LinkButton>
    </>
  )
}

function TypeDetail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-break-word tabular-nums">{children}</dd>
    </div>
  )
}
