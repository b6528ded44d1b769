#ifndef HEADER_H
#define HEADER_H
#ifdef __cplusplus
extern "C" {
template <class T> T only_for_cpp();
#endif
int f(void);
#ifdef __cplusplus
}
#endif
#endif
