import { Check, CircleDashed } from 'lucide-react'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { rolePermissions } from '#contract/accounts/role-permissions.ts'
import { type Permission, permissions } from '#contract/endpoint.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'

function getEnforcement(role: PlatformRole, permission: Permission): 'held' | 'needed' | 'none' {
  const { implemented, needed } = rolePermissions[role]
  if (implemented.includes(permission)) return 'held'
  return needed.includes(permission) ? 'needed' : 'none'
}

const columns: Column<Permission>[] = [
  {
    id: 'permission',
    header: 'Permission',
    rowHeader: true,
    className: 'font-mono text-code whitespace-nowrap',
    cell: (permission) => permission,
  },
  ...platformRoles.map(
    (role): Column<Permission> => ({
      id: role,
      header: role,
      align: 'center',
      cell: (permission) => <PermissionCell enforcement={getEnforcement(role, permission)} />,
    }),
  ),
]

export function PermissionTable() {
  const isEnforced = (permission: Permission) =>
    platformRoles.some((role) => rolePermissions[role].implemented.includes(permission))
  const rows = permissions.toSorted((a, b) => Number(isEnforced(b)) - Number(isEnforced(a)))
  return (
    <>
      <p className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-ui text-muted-foreground">
        <span className="inline-flex items-center gap-1.5">
          <PermissionMark enforcement="held" /> Enforced
        </span>
        <span className="inline-flex items-center gap-1.5">
          <PermissionMark enforcement="needed" /> Planned
        </span>
      </p>
      <Card padded={false} className="overflow-hidden">
        <Table
          label="Permissions of platform roles"
          columns={columns}
          rows={rows}
          rowKey={(permission) => permission}
        />
      </Card>
    </>
  )
}

const enforcementLabels = { held: 'Enforced', needed: 'Planned', none: 'No' }

function PermissionCell({ enforcement }: { enforcement: 'held' | 'needed' | 'none' }) {
  return (
    <>
      {enforcement !== 'none' && <PermissionMark enforcement={enforcement} />}
      <span className="sr-only">{enforcementLabels[enforcement]}</span>
    </>
  )
}

function PermissionMark({ enforcement }: { enforcement: 'held' | 'needed' }) {
  const Icon = enforcement === 'held' ? Check : CircleDashed
  return (
    <Icon
      aria-hidden
      size={15}
      strokeWidth={enforcement === 'held' ? 2.5 : 1.75}
      className={classNames('inline shrink-0', enforcement === 'held' ? 'text-success' : 'text-muted-foreground')}
    />
  )
}
