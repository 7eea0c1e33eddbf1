import { describe, expect, it } from 'vitest';
import { createRouter } from './router.ts';

const route = createRouter([
  { path: '/console/people/:id' },
  { path: '/console' },
  { path: '/console/people/new' },
  { path: '/console/people/:id/remove' },
  { path: '/console/:area/new/remove' },
]);

describe('the page of a path', () => {
  it('is the literal one before the one with a parameter, in whatever order they are listed', () => {
    expect(route('/console/people/new')?.page.path).toBe('/console/people/new');
    expect(route('/console/people/7')).toEqual({
      page: { path: '/console/people/:id' },
      params: { id: '7' },
    });
    expect(route('/console/people/new/remove')?.page.path).toBe('/console/people/:id/remove');
  });

  it('takes a parameter decoded, and never over a slash', () => {
    expect(route('/console/people/a%2Fb')?.params).toEqual({ id: 'a/b' });
    expect(route('/console/people/a/b')).toBeNull();
  });

  it('is none for what is not there, an empty parameter or broken encoding', () => {
    for (const path of ['/console/nowhere', '/console/people/', '/console/people/%', '/', '']) {
      expect(route(path)).toBeNull();
    }
  });
});
