import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { usePresentCrumb, usePresentCrumbAbove } from './crumb.ts'
import { type Place, placeAt } from './places.ts'

export function Breadcrumbs() {
  const { pathname } = useLocation()
  const crumb = usePresentCrumb()
  const between = usePresentCrumbAbove()
  const place = placeAt(pathname)
  if (!place) return null
  const above: NonNullable<Place['under']> = [
    ...(place.under ?? []),
    ...(between ? [between] : []),
    ...(crumb?.below ? [{ title: place.title, to: pathname }] : []),
  ]
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 phone:hidden">
      <ol className="flex min-w-0 items-center gap-[7px] whitespace-nowrap text-muted-foreground">
        {above.map((step) => (
          <Fragment key={step.title}>
            {/* User-chosen names truncate before Keeper's own page names. */}
            <li className={step === between ? 'min-w-0 truncate' : 'shrink-0'}>
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
          {crumb?.title ?? place.title}
        </li>
      </ol>
    </nav>
  )
}
