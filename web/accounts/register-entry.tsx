import { hydrateRoot } from 'react-dom/client'
import { dockDebugTab } from '#web/page/dock-debug-tab.ts'
import { RegisterPage } from './register-page.tsx'

hydrateRoot(document.getElementById('root') as HTMLElement, <RegisterPage />)
dockDebugTab()
