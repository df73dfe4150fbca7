// The page on which the tray is counted: what is typed was kept, how the count stands is asked for.
import { render } from "preact";
import { page } from "tablet/frame/page";
import { html } from "tablet/frame/words";
import { start } from "tablet/frame/live";
import { watchFinger } from "tablet/frame/finger";
import { Idle, watchIdle } from "tablet/frame/idle";
import { idle } from "tablet/frame/outbox";
import { Caught } from "tablet/frame/caught";
import { follows } from "tablet/count/flow";
import { Counting } from "tablet/count/view";

document.documentElement.dataset.hand = localStorage.getItem("saalchef-tablet-hand") ?? "right";
watchFinger();
const Page = () => (idle.value ? html`<${Idle} />` : html`<${Counting} />`);
render(html`<${Caught}><${Page} /><//>`, document.getElementById("main"));
follows();
start();
watchIdle();
if ("serviceWorker" in navigator)
  navigator.serviceWorker.register(page.urls.worker, { scope: page.urls.scope });
