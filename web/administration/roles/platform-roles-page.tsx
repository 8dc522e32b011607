import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleDashed } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { rolePermissions } from '#contract/accounts/role-permissions.ts'
import { signInPolicies } from '#contract/administration/sign-in-policy.ts'
import { type Permission, permissions } from '#contract/endpoint.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api/api.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { administrationKey, toAdminFailureText } from '../admin-queries.ts'
import { NotPermitted, PermissionGate } from '../permission-gate.tsx'
import { RoleAssignment } from './role-assignment.tsx'

const tabs = [
  { id: 'assignment', label: 'Role Assignment' },
  { id: 'details', label: 'Role Details' },
  { id: 'permissions', label: 'Permissions' },
] as const
type TabId = (typeof tabs)[number]['id']

const rolesFailure = {
  title: (reason: Error) => `Error: ${toAdminFailureText(reason, 'Failed to load roles and users')}`,
  children: 'No roles were changed.',
}

export function PlatformRolesPage() {
  const { access, user } = useAuth()
  const [params, setParams] = useSearchParams()
  const tab: TabId = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'assignment'
  const canAssign = user && access?.permissions.includes('manage_platform_roles')

  return (
    <>
      <PageHeader
        title="Platform Roles"
        subtitle="These roles apply across every domain. Assign domain roles in Domain Settings."
      />
      <PermissionGate
        permission="access_admin_pages"
        refusal="Your account can’t view platform roles"
        failure={rolesFailure}
        skeleton={<SkeletonRows rowClassName="h-64" />}
      >
        <Tabs
          label="Platform roles"
          tabs={tabs}
          value={tab}
          onValueChange={(id) => setParams(id === 'assignment' ? {} : { tab: id }, { replace: true })}
        >
          {tab === 'details' && <RoleDetails />}
          {tab === 'permissions' && <PermissionTable />}
          {tab === 'assignment' && canAssign && <RoleAssignment currentUserId={user.id} />}
          {tab === 'assignment' && !canAssign && (
            <NotPermitted title="Your account can’t grant platform roles" permission="manage_platform_roles" />
          )}
        </Tabs>
        {access?.permissions.includes('system_configuration') && <SignInPolicyCard />}
      </PermissionGate>
    </>
  )
}

function RoleDetails() {
  return (
    <ul className="grid grid-cols-2 gap-4 max-[1100px]:grid-cols-1">
      {platformRoles.map((role) => {
        const { description, implemented, needed } = rolePermissions[role]
        return (
          <li key={role} className="flex">
            <Card className="w-full">
              <h2 className="text-h3">{role}</h2>
              <p className="mb-3 text-ui text-muted-foreground">{description}</p>
              <PermissionNames title="Enforced" names={implemented} isEnforced />
              <PermissionNames title="Planned" names={needed.filter((name) => !implemented.includes(name))} />
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
  isEnforced?: boolean
}

function PermissionNames({ title, names, isEnforced = false }: NamesProps) {
  return (
    <div className="mt-2.5">
      <h3 dir="auto" className="mb-1.5 font-sans text-small font-label text-muted-foreground">
        {title}
      </h3>
      {names.length === 0 ? (
        <p className="text-ui text-muted-foreground">Nothing yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {names.map((name) => (
            <li key={name} className="flex">
              <Badge
                mono
                tone={isEnforced ? 'success' : 'outlined'}
                icon={isEnforced && <Check aria-hidden size={11} />}
              >
                {name}
                {!isEnforced && <span className="sr-only"> (not yet)</span>}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Enforcement = 'enforced' | 'planned' | 'none'

function getEnforcement(role: PlatformRole, permission: Permission): Enforcement {
  const { implemented, needed } = rolePermissions[role]
  if (implemented.includes(permission)) return 'enforced'
  return needed.includes(permission) ? 'planned' : 'none'
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

function PermissionTable() {
  const isEnforced = (permission: Permission) =>
    platformRoles.some((role) => rolePermissions[role].implemented.includes(permission))
  const rows = permissions.toSorted((a, b) => Number(isEnforced(b)) - Number(isEnforced(a)))
  return (
    <>
      <p className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-ui text-muted-foreground">
        <span className="inline-flex items-center gap-1.5">
          <PermissionMark enforcement="enforced" /> Enforced
        </span>
        <span className="inline-flex items-center gap-1.5">
          <PermissionMark enforcement="planned" /> Planned
        </span>
      </p>
      <Card padded={false} className="overflow-clip">
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

const enforcementLabels = { enforced: 'Enforced', planned: 'Planned', none: 'No' }

function PermissionCell({ enforcement }: { enforcement: Enforcement }) {
  return (
    <>
      {enforcement !== 'none' && <PermissionMark enforcement={enforcement} />}
      <span className="sr-only">{enforcementLabels[enforcement]}</span>
    </>
  )
}

function PermissionMark({ enforcement }: { enforcement: Exclude<Enforcement, 'none'> }) {
  const Icon = enforcement === 'enforced' ? Check : CircleDashed
  return (
    <Icon
      aria-hidden
      size={15}
      strokeWidth={enforcement === 'enforced' ? 2.5 : 1.75}
      className={classNames('inline shrink-0', enforcement === 'enforced' ? 'text-success' : 'text-muted-foreground')}
    />
  )
}

const policyKey = [...administrationKey, 'sign-in-policy']

function SignInPolicyCard() {
  const queryClient = useQueryClient()
  const { data: policy } = useQuery({
    queryKey: policyKey,
    queryFn: ({ signal }) => call(signInPolicies.show, { signal }),
  })
  const save = useMutation({
    mutationFn: (administratorsNeedTwoFactors: boolean) =>
      call(signInPolicies.save, { body: { administratorsNeedTwoFactors } }),
    onSuccess: (saved) => queryClient.setQueryData(policyKey, saved),
  })
  if (!policy) return null
  return (
    <Card className="mt-4">
      {save.error && <Banner tone="error">{toAdminFailureText(save.error, 'Failed to save the sign-in rules')}</Banner>}
      <Switch
        label="Administrators need two factors"
        help="People with a platform role can administer only after signing in with a passkey, or with password and code."
        checked={policy.administratorsNeedTwoFactors}
        disabled={save.isPending}
        onCheckedChange={(isRequired) => save.mutate(isRequired)}
      />
    </Card>
  )
}
