import { ArrowLeft } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { LinkButton } from '../controls/link-button.tsx'
import { classNames } from '../hooks/class-names.ts'

interface PageHeaderProps {
  title: ReactNode
  subtitle?: ReactNode
  leading?: ReactNode
  badges?: ReactNode
  /** Primary last. On a phone they wrap below: the primary one grows; from three on, all do, as outlined buttons. */
  actions?: ReactNode
  /** On a phone, short actions stay next to the title. */
  actionsBeside?: boolean
}

export function PageHeader({ title, subtitle, leading, badges, actions, actionsBeside = false }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 phone:mb-4">
      {leading}
      <div className={classNames('min-w-0 flex-1 basis-72', actionsBeside && 'phone:basis-40')}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 dir="auto" className="min-w-0 wrap-break-word">
            {title}
          </h1>
          {badges}
        </div>
        {subtitle && (
          <p dir="auto" className="mt-1 max-w-[80ch] wrap-anywhere text-muted-foreground">
            {subtitle}
          </p>
        )}
      </div>
      {actions && (
        <div
          data-chrome
          className={classNames(
            'flex flex-wrap items-center gap-2',
            actionsBeside
              ? 'phone:self-start'
              : 'phone:w-full phone:*:last:[&.bg-primary]:grow phone:not-has-[>:nth-child(3)]:*:first:[&.border-transparent.inline-flex]:-ms-3.5 phone:has-[>:nth-child(3)]:*:grow phone:has-[>:nth-child(3)]:*:[&.border-transparent]:border-border',
          )}
        >
          {actions}
        </div>
      )}
    </header>
  )
}

/** A quiet link to the page above. */
export function BackLink(props: Omit<ComponentProps<typeof LinkButton>, 'variant' | 'icon'>) {
  return (
    <LinkButton {...props} variant="plain" icon={<ArrowLeft aria-hidden size={props.size === 'small' ? 14 : 15} />} />
  )
}
