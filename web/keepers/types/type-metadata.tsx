import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Time } from '#web/ui/time.tsx'
import { counted } from '../shelf/shelf-rules.ts'
import { DeleteTypeDialog, EditTypeDialog } from './type-dialogs.tsx'

/** What a type is. Only who made it may change it; a system type says why nobody may. */
export function TypeMetadata({ type, onDeleted }: { type: KeeperType; onDeleted: () => void }) {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 phone:grid-cols-1">
        <Fact label="Name">{type.name}</Fact>
        <Fact label="ID">
          <code className="font-mono text-code">{type.id}</code>
        </Fact>
        <Fact label="Memory pattern">{type.memoryPattern}</Fact>
        <Fact label="Kind">{type.system ? 'System Reserved' : 'User Created'}</Fact>
        <Fact label="Created at">
          <Time value={type.createdAt} />
        </Fact>
        <Fact label="Keepers using this type">{counted(type._count.Keeper, 'keeper', 'keepers')} of yours</Fact>
        {type.description && (
          <div className="col-span-2 min-w-0 phone:col-span-1">
            <dt className="text-small text-muted-foreground">Description</dt>
            <dd className="mt-0.5 wrap-break-word">{type.description}</dd>
          </div>
        )}
      </dl>
      <div className="mt-6 border-t border-hairline pt-4">
        {type.system ? (
          <p className="text-ui text-muted-foreground">This is a system-reserved Keeper Type. Editing is disabled.</p>
        ) : type.mine ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked('edit')} aria-keyshortcuts="E" icon={<Pencil aria-hidden size={14} />}>
              Edit Type
            </Button>
            <Button variant="danger-text" onClick={() => setAsked('delete')} icon={<Trash2 aria-hidden size={14} />}>
              Delete Type
            </Button>
          </div>
        ) : (
          <p className="text-ui text-muted-foreground">
            Somebody you share a domain with made this keeper type. Only they can change it.
          </p>
        )}
      </div>
      {asked === 'edit' && <EditTypeDialog type={type} onClose={() => setAsked(undefined)} />}
      {asked === 'delete' && <DeleteTypeDialog type={type} onClose={() => setAsked(undefined)} onDeleted={onDeleted} />}
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-break-word tabular-nums">{children}</dd>
    </div>
  )
}
