import { Link } from 'react-router'
import type { Permission } from '#contract/endpoint.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'

const pages: { title: string; to: string; permission: Permission }[] = [
  { title: 'Platform users', to: '/admin/users', permission: 'manage_users' },
  { title: 'Platform roles', to: '/admin/roles', permission: 'access_admin_pages' },
  { title: 'Domains', to: '/admin/domains', permission: 'manage_domains' },
  { title: 'Audit log', to: '/admin/audit', permission: 'manage_users' },
]

/** Renders nothing without one of the permissions. */
export function PlatformLinks({ permissions }: { permissions: readonly Permission[] | undefined }) {
  const visiblePages = pages.filter(({ permission }) => permissions?.includes(permission))
  if (visiblePages.length === 0) return null
  return (
    <nav
      aria-labelledby="platform-links"
      className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-muted-foreground"
    >
      <h2 id="platform-links" className="font-sans text-small font-normal tracking-normal">
        You run this platform
      </h2>
      {visiblePages.map(({ title, to }) => (
        <Link key={to} to={to} className={`${quietLinkClasses} phone:py-2.5`}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
