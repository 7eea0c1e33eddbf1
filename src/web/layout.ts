/** The frame of every page: head, skip link, landmarks, navigation and who is signed in. */

import type { Locale } from '../core/caller.ts';
import { assetUrl } from './assets.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { words } from './words.ts';

export interface NavLink {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly isCurrent: boolean;
  /** Shown beside the label when above zero, with words that say what is counted. */
  readonly count?: { readonly shown: string; readonly words: string } | undefined;
}

/** Who is signed in, and the forms that belong to that. */
export interface LayoutPerson {
  readonly name: string;
  readonly organization: string;
  readonly formWord: string;
  /** The books shown and the others that could be; null where there is no choice. */
  readonly workspaces: {
    readonly options: readonly { readonly id: string; readonly name: string }[];
    readonly chosenId: string | null;
    /** Where the choice leads: a page that exists in all of them. */
    readonly path: string;
  } | null;
}

export interface DocumentParts {
  readonly locale: Locale;
  readonly title: string;
  /** What `<main>` holds, from its `<h1>` on. */
  readonly body: Html;
  readonly nav?: readonly NavLink[];
  readonly person?: LayoutPerson;
  /** Names of scripts from `src/web/assets/`, loaded as modules. */
  readonly assets?: readonly string[];
  /** A text from the page before: what was done. */
  readonly notice?: string | null;
}

/** A whole document. Without `nav` it is a single narrow card, as for signing in. */
export function documentOf(parts: DocumentParts): Html {
  const { locale, title, body, nav, person, assets = [], notice } = parts;
  const own = words(locale);
  const isPlain = nav === undefined;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Kobana</title>
<link rel="icon" href="${assetUrl('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl('console.css')}">
${assets.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}</head>
<body class="${isPlain ? 'plain' : 'framed'}">
<a class="skip" href="#content">${own.skipToContent}</a>
${banner(locale, nav, person)}${nav !== undefined && sidebar(locale, nav)}
<main id="content" tabindex="-1">
${notice && html`<p class="notice" role="status">${notice}</p>\n`}${body}
</main>
</body>
</html>
`;
}

function banner(locale: Locale, nav: readonly NavLink[] | undefined, person: LayoutPerson | undefined): Html {
  const own = words(locale);
  return html`<header class="banner">
<span class="brand">${mark()}<span>Kobana</span></span>
${
  nav !== undefined &&
  html`<details class="menu"><summary>${icon('menu')}<span>${own.menu}</span></summary>
<nav aria-label="${own.menu}">${links(nav)}</nav></details>
`
}${person !== undefined && whoIsHere(locale, person)}</header>
`;
}

function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect width="24" height="24" rx="6"/><path d="M8 6v12M16 6l-6 6 6 6"/></svg>`;
}

function sidebar(locale: Locale, nav: readonly NavLink[]): Html {
  return html`<nav class="sidebar" aria-label="${words(locale).mainNavigation}">${links(nav)}</nav>`;
}

function links(nav: readonly NavLink[]): Html {
  const link = ({ href, label, icon: name, isCurrent, count }: NavLink) =>
    html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${icon(name)}<span>${label}</span>${
      count !== undefined &&
      html`<span class="badge"><span aria-hidden="true">${count.shown}</span><span class="unseen">${count.words}</span></span>`
    }</a></li>`;
  return html`<ul class="links">${nav.map(link)}</ul>`;
}

function whoIsHere(locale: Locale, person: LayoutPerson): Html {
  const own = words(locale);
  return html`<div class="here">
${person.workspaces !== null && workspaceChooser(locale, person.workspaces)}
<div class="who"><span class="unseen">${own.signedInAs} </span><strong>${person.name}</strong><span>${person.organization}</span></div>
<form method="post" action="/console/sign-out"><input type="hidden" name="form_word" value="${person.formWord}"><button class="quiet">${own.signOut}</button></form>
</div>
`;
}

function workspaceChooser(locale: Locale, chooser: NonNullable<LayoutPerson['workspaces']>): Html {
  const own = words(locale);
  return html`<form class="chooser" method="get" action="${chooser.path}"><label for="workspace">${own.workspace}</label>
<select id="workspace" name="workspace">${chooser.options.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === chooser.chosenId && html` selected`}>${name}</option>`,
  )}</select><button class="quiet">${own.change}</button></form>`;
}
