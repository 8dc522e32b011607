import 'sonner/dist/styles.css'
import { Toaster as Sonner } from 'sonner'

/** Mounted once, in the shell. Say something with showToast. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-center"
      visibleToasts={1}
      duration={5000}
      offset={24}
      mobileOffset={16}
      containerAriaLabel="Notices"
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
