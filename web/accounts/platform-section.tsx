import type { Permission } from '#contract/endpoint.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { useAuth } from './auth-provider.tsx'

const pages: { title: string; to: string; permission: Permission }[] = [
  { title: 'Platform users', to: '/admin/users', permission: 'manage_users' },
  { title: 'Platform roles', to: '/admin/roles', permission: 'access_admin_pages' },
  { title: 'Domains', to: '/admin/domains', permission: 'manage_domains' },
  { title: 'Audit log', to: '/admin/audit', permission: 'manage_users' },
]

export function PlatformSection() {
  const { access } = useAuth()
  const visiblePages = pages.filter(({ permission }) => access?.permissions.includes(permission))
  if (visiblePages.length === 0) return null
  return (
    <Section title="You run this platform" help="Everyone’s accounts, roles and domains.">
      <div className="flex flex-wrap gap-2">
        {visiblePages.map(({ title, to }) => (
          <LinkButton key={to} to={to}>
            {title}
          </LinkButton>
        ))}
      </div>
    </Section>
  )
}
