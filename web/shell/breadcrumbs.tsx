import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { placeAt } from './places.ts'

export function Breadcrumbs() {
  const place = placeAt(useLocation().pathname)
  if (!place) return null
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 phone:hidden">
      <ol className="flex min-w-0 items-center gap-[7px] whitespace-nowrap text-muted-foreground">
        {place.under?.map((crumb) => (
          <Fragment key={crumb.title}>
            <li>
              {crumb.to ? (
                <Link to={crumb.to} className="rounded-xs hover:text-foreground">
                  {crumb.title}
                </Link>
              ) : (
                crumb.title
              )}
            </li>
            <li aria-hidden>
              <ChevronRight size={13} />
            </li>
          </Fragment>
        ))}
        <li aria-current="page" className="truncate font-semibold text-foreground">
          {place.title}
        </li>
      </ol>
    </nav>
  )
}
