import { hydrateRoot } from 'react-dom/client'
import { dockDebugTab } from '#web/page/dock-debug-tab.ts'
import { LoginPage } from './login-page.tsx'

hydrateRoot(document.getElementById('root') as HTMLElement, <LoginPage />)
dockDebugTab()
