import { Check } from 'lucide-react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { rolePermissions } from '#contract/accounts/role-permissions.ts'
import type { Permission } from '#contract/endpoint.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'

export function RoleDetails() {
  return (
    <ul className="grid grid-cols-2 gap-4 max-[1100px]:grid-cols-1">
      {platformRoles.map((role) => {
        const { description, implemented, needed } = rolePermissions[role]
        return (
          <li key={role} className="flex">
            <Card className="w-full">
              <h2 className="text-h3">{role}</h2>
              <p className="mb-3 text-ui text-muted-foreground">{description}</p>
              <PermissionNames title="Enforced" names={implemented} implemented={implemented} />
              <PermissionNames title="Planned" names={needed} implemented={implemented} />
            </Card>
          </li>
        )
      })}
    </ul>
  )
}

interface NamesProps {
  title: string
  names: readonly Permission[]
  /** Permissions that the server enforces; they get a check mark. */
  implemented: readonly Permission[]
}

function PermissionNames({ title, names, implemented }: NamesProps) {
  const isImplemented = (name: Permission) => implemented.includes(name)
  return (
    <div className="mt-2.5">
      <h3 className="mb-1.5 font-sans text-small font-label text-muted-foreground">{title}</h3>
      {names.length === 0 ? (
        <p className="text-ui text-muted-foreground">Nothing yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {names.map((name) => (
            <li key={name} className="flex">
              <Badge
                mono
                tone={isImplemented(name) ? 'success' : 'outlined'}
                icon={isImplemented(name) && <Check aria-hidden size={11} />}
              >
                {name}
                {!isImplemented(name) && <span className="sr-only"> (not yet)</span>}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
