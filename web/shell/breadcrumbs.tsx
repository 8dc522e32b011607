import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { useCurrentCrumb, useParentCrumb } from './crumb.ts'
import { findPageRoute, type PageRoute } from './page-routes.ts'

export function Breadcrumbs() {
  const { pathname } = useLocation()
  const crumb = useCurrentCrumb()
  const parentCrumb = useParentCrumb()
  const route = findPageRoute(pathname)
  if (!route) return null
  const ancestors: NonNullable<PageRoute['parents']> = [
    ...(route.parents ?? []),
    ...(parentCrumb ? [parentCrumb] : []),
    ...(crumb?.isSubPage ? [{ title: route.title, to: pathname }] : []),
  ]
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 phone:hidden">
      <ol className="flex min-w-0 items-center gap-[7px] whitespace-nowrap text-muted-foreground">
        {ancestors.map((step) => (
          <Fragment key={step.title}>
            {/* User-chosen names truncate before Keeper's own page names. */}
            <li className={step === parentCrumb ? 'min-w-0 truncate' : 'shrink-0'}>
              {step.to ? (
                <Link to={step.to} className="rounded-xs hover:text-foreground">
                  {step.title}
                </Link>
              ) : (
                step.title
              )}
            </li>
            <li aria-hidden className="shrink-0">
              <ChevronRight size={13} />
            </li>
          </Fragment>
        ))}
        <li aria-current="page" className="min-w-0 shrink-[0.02] truncate font-semibold text-foreground">
          {crumb?.title ?? route.title}
        </li>
      </ol>
    </nav>
  )
}
