import 'sonner/dist/styles.css'
import { Toaster as Sonner } from 'sonner'

export function Toaster() {
  return (
    <Sonner
      position="bottom-center"
      visibleToasts={1}
      duration={5000}
      offset={{ bottom: 'var(--k-toast-bottom, 24px)' }}
      mobileOffset={{ bottom: 'var(--k-toast-bottom, 16px)' }}
      containerAriaLabel="Notices"
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
