import { ArrowLeft } from 'lucide-react'
import { LinkButton, type LinkButtonProps } from './link-button.tsx'

/** A quiet link to the page above. */
export function BackLink(props: Omit<LinkButtonProps, 'variant' | 'icon'>) {
  return (
    <LinkButton {...props} variant="plain" icon={<ArrowLeft aria-hidden size={props.size === 'small' ? 14 : 15} />} />
  )
}
